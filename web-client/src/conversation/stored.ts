/** What this browser keeps under a name; null when there is nothing, or nothing that can be read. */
export function readStored<T>(name: string): T | null {
  try {
    return JSON.parse(localStorage.getItem(`parlour.${name}`) ?? 'null') as T | null;
  } catch {
    return null;
  }
}

/** Keeps a value; null forgets it. A full or forbidden storage keeps nothing, and the page goes on. */
export function writeStored(name: string, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(`parlour.${name}`);
    else localStorage.setItem(`parlour.${name}`, JSON.stringify(value));
  } catch {
    // Only the copy is lost.
  }
}

/** 128 random bits; `randomUUID` is missing on pages without TLS. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
