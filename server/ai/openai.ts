import { z } from 'zod';
import { Insights, type Proposal } from '../../schema/ai.ts';
import { asksForPerson } from './built-in/handoff.ts';
import { type Endpoint, OpenAiEndpoint } from './openai-call.ts';
import type { AiProvider, Answer, Draft, Rewriting, ThreadView } from './provider.ts';
import { Redactor } from './redact.ts';

/** Longest texts that are kept of an answer, in characters. */
const most = { reply: 4_096, tip: 500, summary: 2_000 };
const free = { inputTokens: 0, outputTokens: 0, cost: 0 };

const Suggestions = z.strictObject({
  replies: z.array(z.string()),
  tags: z.array(z.string()),
  tips: z.array(z.string()),
});
const Reply = z.strictObject({ text: z.string().nullable(), handoff: z.boolean() });
const Text = z.strictObject({ text: z.string() });

const assistant = 'You assist the agents of a company that answers its customers by chat.';

/**
 * An OpenAI-compatible service as a provider.
 * @param redacted whether phones, e-mails, card numbers and IBANs are taken out of all that leaves
 */
export function openAiProvider(endpoint: Endpoint, { redacted }: { redacted: boolean }): AiProvider {
  const service = new OpenAiEndpoint(endpoint);

  /** Asks about a text or a thread: all that leaves goes through here. */
  async function ask<T, R>(
    about: ThreadView | string,
    question: { instructions: string; name: string; schema: z.ZodType<T> },
    signal: AbortSignal,
    value: (found: T, restore: (text: string) => string) => R | null,
  ): Promise<Answer<R>> {
    if (typeof about !== 'string' && about.contact.blocked) return { outcome: 'unavailable', usage: free };
    const redactor = new Redactor();
    const clean = redacted ? redactor.redact : (text: string) => text;
    const data = typeof about === 'string' ? { text: clean(about) } : materialOf(about, clean);
    const answer = await service.ask({ ...question, data }, signal);
    if (answer.outcome !== 'ok') return answer;
    const made = value(answer.value, (text) => tidy(redacted ? redactor.restore(text) : text));
    const { usage } = answer;
    return made === null ? { outcome: 'malformed', usage } : { outcome: 'ok', value: made, usage };
  }

  return {
    name: 'openai',
    model: endpoint.model,
    insights: (thread, signal) =>
      ask(
        thread,
        {
          name: 'insights',
          schema: z.strictObject(Insights.shape),
          instructions: `${assistant} Judge the customer's newest messages: sentiment, how likely a purchase is, and the intent.`,
        },
        signal,
        (found) => found,
      ),
    suggest: (thread, signal) =>
      ask(
        thread,
        {
          name: 'suggestions',
          schema: Suggestions,
          instructions: `${assistant} Propose what the agent may do next: up to two replies in the customer's language, true to the material (quick_replies, earlier_answers, orders) and without inventing facts; up to two of the tags by id; up to two short tips in the language ${thread.company.locale}. Leave out what does not help.`,
        },
        signal,
        (found, restore) => proposalsIn(found, thread, restore),
      ),
    reply: async (thread, signal) =>
      asksForPerson(thread)
        ? { outcome: 'ok', value: { text: null, handoff: true }, usage: free }
        : ask(
            thread,
            {
              name: 'reply',
              schema: Reply,
              instructions: `${assistant} Write the reply to the customer's newest messages in their language, from the material only (quick_replies, earlier_answers, orders). When the material does not answer them, text is null. When a human is needed or asked for, handoff is true and text is null.`,
            },
            signal,
            ({ text, handoff }, restore): Draft => ({
              text: handoff || text === null ? null : cut(restore(text), most.reply) || null,
              handoff,
            }),
          ),
    rewrite: (text, how, signal) =>
      ask(
        text,
        { name: 'text', schema: Text, instructions: rewriting(how) },
        signal,
        (found, restore) => cut(restore(found.text), most.reply) || null,
      ),
    summarise: (thread, signal) =>
      ask(
        thread,
        {
          name: 'summary',
          schema: Text,
          instructions: `${assistant} Summarise the conversation for a colleague who takes over, in at most five sentences, in the language ${thread.company.locale}: what the customer wants, what was promised, what is open.`,
        },
        signal,
        (found, restore) => cut(restore(found.text), most.summary) || null,
      ),
  };
}

function rewriting(how: Rewriting): string {
  const keep = 'Keep its meaning, its facts and its form of address.';
  if (how.as === 'translation')
    return `Translate the agent's draft into the language ${how.language}. ${keep}`;
  const manner = how.as === 'shorter' ? 'Make it shorter' : 'Make it friendlier';
  return `Rewrite the agent's draft in its own language. ${manner}. ${keep}`;
}

/** The thread as data. Ids leave only where an answer has to name one. */
function materialOf(thread: ThreadView, clean: (text: string) => string) {
  return {
    company: thread.company.name,
    customer: thread.contact.firstName && clean(thread.contact.firstName),
    now: thread.now.toISOString(),
    messages: thread.messages.map(({ from, text, at }) => ({
      from,
      text: clean(text),
      at: at.toISOString(),
    })),
    waiting_since: thread.waitingSince?.toISOString() ?? null,
    free_text_until: thread.windowClosesAt?.toISOString() ?? null,
    unpaid_orders: thread.unpaidOrders.map(({ placedAt, total, ...order }) => ({
      ...order,
      total_minor_units: total,
      placed_at: placedAt.toISOString(),
    })),
    quick_replies: thread.quickReplies.map(({ text }) => clean(text)),
    earlier_answers: thread.earlierAnswers.map(({ text }) => clean(text)),
    tags: thread.tags.map(({ id, name }) => ({ id, name: clean(name) })),
  };
}

/** What can be stored: tags that exist, texts that fit, each once, five at most. */
function proposalsIn(
  { replies, tags, tips }: z.infer<typeof Suggestions>,
  thread: ThreadView,
  restore: (text: string) => string,
): Proposal[] {
  const known = new Set(thread.tags.map(({ id }) => id));
  const texts = (kind: 'reply' | 'tip', given: readonly string[]) =>
    [...new Set(given.map((text) => cut(restore(text), most[kind])))]
      .filter((text) => text !== '')
      .slice(0, 2)
      .map((text): Proposal => ({ kind, text }));
  const chosen = [...new Set(tags)].filter((tag) => known.has(tag)).slice(0, 2);
  return [
    ...texts('reply', replies),
    ...chosen.map((tag): Proposal => ({ kind: 'tag', tag })),
    ...texts('tip', tips),
  ].slice(0, 5);
}

/** Without what no message may hold: control characters, ends of lines apart. */
function tidy(text: string): string {
  return text.replaceAll(/(?![\n\t])\p{Cc}/gu, '').trim();
}

function cut(text: string, length: number): string {
  return [...text].slice(0, length).join('');
}
