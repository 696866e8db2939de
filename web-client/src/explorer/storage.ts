/** The browser's storage, a part of it for each mode: what was typed for one is never run in the other. */
export function storageOf(mode: 'live' | 'test'): Storage {
  const prefix = `explorer ${mode} `;
  const own = () => Object.keys(localStorage).filter((name) => name.startsWith(prefix));
  return {
    get length() {
      return own().length;
    },
    key: (index) => own()[index]?.slice(prefix.length) ?? null,
    getItem: (name) => localStorage.getItem(prefix + name),
    setItem: (name, value) => localStorage.setItem(prefix + name, value),
    removeItem: (name) => localStorage.removeItem(prefix + name),
    clear: () => own().forEach((name) => localStorage.removeItem(name)),
  };
}
