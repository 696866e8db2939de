import { t } from '@lingui/core/macro';
import { quickReplyVariables, variablesIn } from '../../../schema/words.ts';

/** Longest text; how close to it the rest is counted. */
const limits = { reply: 4096, note: 2000 } as const;
const nearLimit = 200;

/** How many characters are left, once there are few; negative when there are too many. */
export function leftOf(text: string, mode: keyof typeof limits): number | null {
  const rest = limits[mode] - [...text].length;
  return rest < nearLimit ? rest : null;
}

/** What a quick reply left open: names of variables, in order of appearance. */
export function gapsIn(text: string): string[] {
  return variablesIn(text).filter((name) => quickReplyVariables.some((known) => known === name));
}

/** What speaks against sending; null when nothing does. */
export function obstacle(text: string, mode: keyof typeof limits, busy: boolean): string | null {
  const [gap] = gapsIn(text);
  if (gap !== undefined) return t`Fill in ${gap} first.`;
  const over = [...text].length - limits[mode];
  if (over > 0)
    return over === 1 ? t`The text is 1 character too long.` : t`The text is ${over} characters too long.`;
  return busy && mode === 'reply' ? t`A file is still on its way.` : null;
}

/** As high as its text, where the style sheet can't say so. */
export function grow(element: HTMLTextAreaElement): void {
  if (CSS.supports('field-sizing', 'content')) return;
  element.style.height = 'auto';
  element.style.height = `${element.scrollHeight}px`;
}
