import type { ThreadView } from '../provider.ts';
import { affirms, languages, rulesOf } from './rules.ts';
import { plain } from './text.ts';

/** Whether a message asks for a person, in any of the languages. */
export function wantsHuman(text: string): boolean {
  const said = plain(text);
  return languages.some((one) => affirms(said, rulesOf[one].handoff, rulesOf[one].negations));
}

/** Whether the customer has asked for a person since the company's last message. Needs no provider. */
export function asksForPerson({ messages }: ThreadView): boolean {
  const answered = messages.findLastIndex(({ from }) => from === 'company');
  return messages.slice(answered + 1).some(({ text }) => wantsHuman(text));
}
