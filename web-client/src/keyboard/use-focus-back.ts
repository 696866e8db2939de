import { useEffect, useState } from 'react';

/** For dialogs that go at once: the focus returns to where it was, unless something else has taken it. */
export function useFocusBack(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
    },
    [before],
  );
}
