/** Live, or test: the sandbox, where nothing is kept and nothing leaves. It stands in the address as `?mode=test`. */
export type Mode = 'live' | 'test';

let mode: Mode = modeIn(location.search);

/** The mode that calls are made in right now. */
export function currentMode(): Mode {
  return mode;
}

/** Follows the address; the router calls it before anything is drawn. */
export function followMode(next: Mode): void {
  mode = next;
}

function modeIn(search: string): Mode {
  return new URLSearchParams(search).get('mode') === 'test' ? 'test' : 'live';
}
