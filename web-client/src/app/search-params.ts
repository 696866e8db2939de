/** Search parameters of a page: a link may leave out any of them. */
export type Search<T> = { [K in keyof T]?: T[K] | undefined };

/** A parameter of the address as text, digits without quotes included; undefined for anything else. */
export function textIn(search: Record<string, unknown>, name: string): string | undefined {
  const value = search[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) || undefined : undefined;
}

/** A parameter that is one of some words. */
export function wordIn<const W extends string>(
  search: Record<string, unknown>,
  name: string,
  words: readonly W[],
): W | undefined {
  return words.find((word) => word === search[name]);
}
