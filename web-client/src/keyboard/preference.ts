const name = 'parlour.single-keys';

/** Whether single keys do anything; whoever dictates or has a tremor switches them off. */
export function singleKeys(): boolean {
  return localStorage.getItem(name) !== 'off';
}

export function setSingleKeys(on: boolean): void {
  if (on) localStorage.removeItem(name);
  else localStorage.setItem(name, 'off');
}
