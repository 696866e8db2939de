const places = new WeakMap<readonly { id: string }[], Map<string, number>>();

/** Where a row stands in a list, -1 if nowhere. Looked for once in each list, however long it is. */
export function placeOf(rows: readonly { id: string }[], id: string | null | undefined): number {
  if (typeof id !== 'string') return -1;
  let known = places.get(rows);
  if (!known) {
    known = new Map(rows.map((row, place) => [row.id, place]));
    places.set(rows, known);
  }
  return known.get(id) ?? -1;
}
