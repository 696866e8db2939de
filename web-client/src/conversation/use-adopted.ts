import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { DraftStore } from './draft-store.ts';

/** Keeps up with the drafts on the server. @param adopt called when one of another browser took the place of one's own */
export function useAdopted(store: DraftStore, adopt: () => void): void {
  useEffect(() => store.start(), [store]);
  const revision = useSyncExternalStore(store.subscribe, store.revision);
  const shown = useRef(revision);
  useEffect(() => {
    if (shown.current === revision) return;
    shown.current = revision;
    adopt();
  });
}
