import type { Insights, purchaseLikelihoods } from '../../../schema/ai.ts';
import type { ThreadView } from '../provider.ts';
import { intentOf } from './intent.ts';
import { wantsHuman } from './handoff.ts';
import { languageOf } from './language.ts';
import { affirms, type IntentKey, type Language, languages, rulesOf, says } from './rules.ts';
import { sentimentOf, valenceOf } from './sentiment.ts';
import { plain } from './text.ts';

/** What a customer said in the newest messages, and in which language. */
interface Reading extends Insights {
  language: Language | null;
  /** What the customer wrote since the company's last message, else their last message; oldest first. */
  open: string[];
  /** A human is asked for. */
  handoff: boolean;
}

/** Messages back that still tell whether somebody is about to buy. */
const memory = 6;
/** An order that waits for payment speaks of buying for so long, in milliseconds. */
const fresh = 14 * 86_400_000;
/** How much the last, the last but one … message counts for the mood. */
const fading = [1, 0.35, 0.1] as const;
/** And how much any of them can count. */
const strongest = 4;

/** Reads a thread by the rules. The same thread gives the same reading. */
export function read(thread: ThreadView): Reading {
  const customer = thread.messages.filter(({ from }) => from === 'customer').map(({ text }) => text);
  const open = openOf(thread);
  // One message may be too short to tell.
  const language =
    languageOf(open.join('\n')) ?? (open.length > 0 ? languageOf(customer.slice(-memory).join('\n')) : null);
  const intent = currentIntent(open, language);
  return {
    language,
    open,
    sentiment: language && moodOf(customer, language),
    intent,
    purchase_likelihood: likelihoodOf(thread, customer.slice(-memory), intent),
    handoff: open.some(wantsHuman),
  };
}

function openOf({ messages }: ThreadView): string[] {
  const answered = messages.findLastIndex(({ from }) => from === 'company');
  const open = messages.slice(answered + 1).map(({ text }) => text);
  if (open.length > 0) return open;
  const last = messages.findLast(({ from }) => from === 'customer');
  return last ? [last.text] : [];
}

/** The newest message that is about something; "thanks" after a question leaves the question. */
function currentIntent(open: readonly string[], language: Language | null): IntentKey | null {
  const found = open.map((text) => intentOf(text, language)).filter((key) => key !== null);
  return found.findLast((key) => key !== 'greeting' && key !== 'other') ?? found.at(-1) ?? null;
}

function moodOf(customer: readonly string[], language: Language) {
  const newest = customer.slice(-fading.length).reverse();
  const sum = newest.reduce((total, text, age) => {
    // However angry an earlier message was, a calm one after it counts.
    const valence = Math.max(-strongest, Math.min(strongest, valenceOf(text, language)));
    return total + valence * (fading[age] ?? 0);
  }, 0);
  return sentimentOf(sum);
}

/** By explicit signals only: nothing is read into a thread without them. */
function likelihoodOf(
  { unpaidOrders, now }: ThreadView,
  customer: readonly string[],
  intent: IntentKey | null,
): (typeof purchaseLikelihoods)[number] {
  for (const text of [...customer].reverse()) {
    const said = plain(text);
    for (const language of languages) {
      const { buying, declining, negations } = rulesOf[language];
      if (says(said, declining)) return 'low';
      if (affirms(said, buying, negations)) return 'high';
    }
  }
  if (intent === 'complaint' || intent === 'return') return 'low';
  if (unpaidOrders.some(({ placedAt }) => now.getTime() - placedAt.getTime() < fresh)) return 'high';
  if (intent === 'price' || intent === 'product_question' || intent === 'booking') return 'medium';
  const asked = customer.some((text) => languages.some((one) => says(plain(text), rulesOf[one].interested)));
  if (asked) return 'medium';
  return intent === 'order_status' ? 'low' : 'unknown';
}
