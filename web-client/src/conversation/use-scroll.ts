import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

/** So close to the end, in pixels, counts as being there. */
const nearEnd = 48;

/**
 * Holds what is read in its place while the content around it grows: at the end the view follows it, elsewhere the
 * first visible entry stays where it is. @returns whether the end is in view, and how to go there
 */
export function useScroll(view: RefObject<HTMLDivElement | null>, content: RefObject<HTMLDivElement | null>) {
  const following = useRef(true);
  const lastTop = useRef(0);
  const anchor = useRef<{ element: Element; top: number } | null>(null);
  const [atEnd, setAtEnd] = useState(true);

  const toEnd = useCallback(() => {
    following.current = true;
    setAtEnd(true);
    view.current?.scrollTo({ top: view.current.scrollHeight });
  }, [view]);

  useEffect(() => {
    const box = view.current;
    const inner = content.current;
    if (!box || !inner) return undefined;
    const look = () => {
      const end = box.scrollHeight - box.scrollTop - box.clientHeight < nearEnd;
      // Content that grew is no reason to stay behind; scrolling up is.
      following.current = end || (following.current && box.scrollTop >= lastTop.current);
      lastTop.current = box.scrollTop;
      setAtEnd(following.current);
      const edge = box.getBoundingClientRect().top;
      const element = [...inner.children].find((child) => child.getBoundingClientRect().bottom > edge);
      anchor.current = element ? { element, top: element.getBoundingClientRect().top - edge } : null;
    };
    const hold = () => {
      if (following.current) box.scrollTop = box.scrollHeight;
      else if (anchor.current?.element.isConnected) {
        const top = anchor.current.element.getBoundingClientRect().top - box.getBoundingClientRect().top;
        box.scrollTop += top - anchor.current.top;
      }
    };
    const sizes = new ResizeObserver(hold);
    sizes.observe(inner);
    sizes.observe(box);
    box.addEventListener('scroll', look, { passive: true });
    return () => {
      sizes.disconnect();
      box.removeEventListener('scroll', look);
    };
  }, [view, content]);

  /** Brings an entry into the middle; from now on the view stays there, whatever is put in above. */
  const reveal = useCallback(
    (element: Element) => {
      following.current = false;
      element.scrollIntoView({ block: 'center' });
      const edge = view.current?.getBoundingClientRect().top ?? 0;
      anchor.current = { element, top: element.getBoundingClientRect().top - edge };
    },
    [view],
  );

  return { atEnd, toEnd, reveal };
}
