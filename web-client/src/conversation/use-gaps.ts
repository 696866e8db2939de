import { type RefObject, useRef, useState } from 'react';
import { variablePattern } from '../../../schema/words.ts';
import { gapsIn, grow } from './field.ts';

/** What a quick reply left open in the text, and how it is filled in. @param filled called when the text was changed */
export function useGaps(field: RefObject<HTMLTextAreaElement | null>, filled: () => void) {
  const [gaps, setGaps] = useState<readonly string[]>([]);
  const gapFields = useRef<HTMLDivElement>(null);
  const findGaps = () => {
    const found = gapsIn(field.current?.value ?? '');
    setGaps((before) => (before.join() === found.join() ? before : found));
  };
  /** Goes to where the first is written, once that is drawn. */
  const askGaps = () => requestAnimationFrame(() => gapFields.current?.querySelector('input')?.focus());
  const fill = (name: string, value: string) => {
    const element = field.current;
    if (!element || value === '') return;
    element.value = element.value.replaceAll(variablePattern, (whole, found: string) =>
      found.trim() === name ? value : whole,
    );
    grow(element);
    filled();
    if (gapsIn(element.value).length === 0) element.focus();
    else askGaps();
  };
  return { gaps, gapFields, findGaps, askGaps, fill };
}
