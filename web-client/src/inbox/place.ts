const places = new WeakMap<readonly { id: string }[], Map<string, number>>();

/** Where a row stands in a list, -1 if nowhere. The same row of the same list, however long, is looked for once. */
export function placeOf(rows: readonly { id: string }[], id: string | null | undefined): number {
  if (typeof id !== 'string') return -1;
  const known = places.get(rows) ?? new Map<string, number>();
  places.set(rows, known);
  const place = known.get(id) ?? rows.findIndex((row) => row.id === id);
  known.set(id, place);
  return place;
}
