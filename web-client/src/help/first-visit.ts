const name = 'parlour.first-visit';

/** Whoever has just made their account is shown around, in this tab and once. */
export function beginFirstVisit(): void {
  sessionStorage.setItem(name, '1');
}

/** Whether this is the first visit; asking ends it. */
export function takeFirstVisit(): boolean {
  const first = sessionStorage.getItem(name) !== null;
  sessionStorage.removeItem(name);
  return first;
}
