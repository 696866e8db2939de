import type { Insights, Proposal } from '../../../schema/ai.ts';
import type { Draft, ThreadView } from '../provider.ts';
import { fold } from '../words.ts';
import { languageOf } from './language.ts';
import { read } from './reading.ts';
import type { Language } from './rules.ts';
import { tipsOf } from './tips.ts';

/** From which likeness on an answer is worth showing to an agent … */
const shown = { quickReply: 0.34, answer: 0.4 };
/** … and worth sending without one; then as many customers must have been told the same. */
const sent = { quickReply: 0.62, answer: 0.72, contacts: 2 };
/** Two answers this close that say different things: what is true today can't be told from the past. */
const close = 0.1;
/** From which score on history speaks for a tag: two threads of two, or most of many. */
const tagged = 0.35;
const most = { replies: 2, tags: 2, tips: 2, all: 5 };

/** What a customer wants, and how they feel. */
export function insightsOf(thread: ThreadView): Insights {
  const { sentiment, purchase_likelihood, intent } = read(thread);
  return { sentiment, purchase_likelihood, intent };
}

/** What an agent could do next. */
export function proposals(thread: ThreadView): Proposal[] {
  const { language, intent, sentiment, purchase_likelihood: likelihood, open } = read(thread);
  const good = ranked(thread, language).filter(({ similarity, least }) => similarity >= least.shown);
  const replies = firstOfEachForm(good)
    .slice(0, most.replies)
    .map(({ text }): Proposal => ({ kind: 'reply', text }));
  // Thanks and greetings are in all threads: they tell nothing of what a thread is about.
  const matters = intent !== null && intent !== 'greeting' && intent !== 'other';
  const tags = thread.tags
    .filter(({ score, name }) => (matters && score >= tagged) || isNamed(name, open, intent))
    .slice(0, most.tags)
    .map(({ id }): Proposal => ({ kind: 'tag', tag: id }));
  const mood = { ready: likelihood === 'high', unhappy: sentiment === 'negative' };
  const tips = tipsOf(thread, mood)
    .slice(0, most.tips)
    .map((text): Proposal => ({ kind: 'tip', text }));
  return [...replies, ...tags, ...tips].slice(0, most.all);
}

/** Nothing is written that the company has not said before, nothing to a complaint, and nothing to what is not asked. */
export function draft(thread: ThreadView): Draft {
  const { language, intent, sentiment, handoff } = read(thread);
  if (handoff) return { text: null, handoff: true };
  if (intent === null || intent === 'complaint' || sentiment === 'negative')
    return { text: null, handoff: false };
  const good = ranked(thread, language).filter(
    ({ similarity, least, contacts }) => similarity >= least.sent && contacts >= sent.contacts,
  );
  const [first, second] = good;
  if (!first || (second && second.similarity > first.similarity - close && !first.saved))
    return { text: null, handoff: false };
  return { text: first.text, handoff: false };
}

interface Candidate {
  text: string;
  similarity: number;
  contacts: number;
  saved: boolean;
  least: { shown: number; sent: number };
}

/** Saved replies and earlier answers in the customer's language, the best first, each text once. */
function ranked(thread: ThreadView, language: Language | null): Candidate[] {
  const saved = thread.quickReplies.map(({ text, similarity }) => ({
    text,
    similarity,
    contacts: Infinity,
    saved: true,
    least: { shown: shown.quickReply, sent: sent.quickReply },
  }));
  const earlier = thread.earlierAnswers.map((answer) => ({
    ...answer,
    saved: false,
    least: { shown: shown.answer, sent: sent.answer },
  }));
  const known = new Set<string>();
  return [...saved, ...earlier]
    .filter(({ text }) => {
      const key = likenessOf(text);
      const repeated = known.has(key);
      known.add(key);
      const spoken = languageOf(text);
      return !repeated && (!language || !spoken || spoken === language);
    })
    .sort((a, b) => b.similarity / b.least.shown - a.similarity / a.least.shown);
}

/** The same with another number or price is no second choice. */
function firstOfEachForm(candidates: readonly Candidate[]): Candidate[] {
  const first = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const form = likenessOf(candidate.text).replaceAll(/\d+/g, '0');
    if (!first.has(form)) first.set(form, candidate);
  }
  return [...first.values()];
}

/** Two texts that differ in case, accents and spaces only are one. */
function likenessOf(text: string): string {
  return fold(text).replaceAll(/\s+/g, ' ').trim();
}

/** Names that companies give to tags for what the engine recognises. */
const usual: Readonly<Record<string, readonly string[]>> = {
  complaint: ['complaint', 'complaints', 'queja', 'reclamo', 'reclamacion', 'reclamacao', 'unhappy'],
  return: ['return', 'returns', 'refund', 'devolucion', 'devolucao', 'reembolso'],
  order_status: ['order', 'orders', 'delivery', 'shipping', 'pedido', 'envio', 'entrega', 'encomenda'],
  booking: ['booking', 'bookings', 'appointment', 'reserva', 'cita', 'marcacao'],
  product_question: ['question', 'product question', 'pregunta', 'pergunta', 'duvida'],
  price: ['price', 'quote', 'precio', 'presupuesto', 'preco', 'orcamento'],
};

/** The tag's name stands in what the customer wrote, or is a usual one for what they want. */
function isNamed(name: string, open: readonly string[], intent: string | null): boolean {
  const folded = fold(name).trim();
  if (intent !== null && usual[intent]?.includes(folded)) return true;
  const words = folded.match(/\p{L}{4,}/gu) ?? [];
  const said = new Set(fold(open.join(' ')).match(/\p{L}+/gu) ?? []);
  return words.length > 0 && words.every((word) => said.has(word));
}
