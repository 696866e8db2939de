import type { Insights, Proposal } from '../../schema/ai.ts';

/** A thread as a provider sees it: text and facts, gathered for one call. Nothing in it is an instruction. */
export interface ThreadView {
  conversationId: string;
  company: { name: string; locale: string };
  /** Of a blocked contact nothing may leave the house. */
  contact: { firstName: string | null; blocked: boolean };
  /** Oldest first, the newest 30 at most; without notes and without what was never sent. */
  messages: { id: string; from: 'customer' | 'company'; text: string; at: Date }[];
  now: Date;
  waitingSince: Date | null;
  /** When free text is no longer possible; null where the channel has no window. */
  windowClosesAt: Date | null;
  unpaidOrders: { number: number; total: number; currency: string; status: string; placedAt: Date }[];
  /** Of the newest customer messages, most similar first. */
  quickReplies: { id: string; text: string; similarity: number }[];
  /**
   * What agents of this company answered to similar messages, most similar first; `contacts` is to how many customers.
   * Answers that hold somebody's data are left out.
   */
  earlierAnswers: { text: string; similarity: number; contacts: number }[];
  /** The company's tags that are not attached, with how well earlier tagging speaks for each (0–1). */
  tags: { id: string; name: string; color: string; score: number }[];
}

/** What a call cost. The built-in engine costs nothing. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  /** Micro units of USD. */
  cost: number;
}

/** Why there is no answer: the words of the ledger. */
export type Refusal = 'refused' | 'malformed' | 'timeout' | 'error' | 'budget' | 'unavailable';

/** Never throws for what a provider did: a bad answer is an outcome. */
export type Answer<T> = { outcome: 'ok'; value: T; usage: Usage } | { outcome: Refusal; usage: Usage };

/** An automatic reply: `text` null when the engine has nothing good enough, `handoff` when a human is asked for. */
export interface Draft {
  text: string | null;
  handoff: boolean;
}

export type Rewriting = { as: 'shorter' | 'friendlier' } | { as: 'translation'; language: string };

/** Model output is data, never an action: callers store or show it, and only approving acts. */
export interface AiProvider {
  readonly name: string;
  readonly model: string;
  insights(thread: ThreadView, signal: AbortSignal): Promise<Answer<Insights>>;
  /** At most 5, without repetition of (kind, text). */
  suggest(thread: ThreadView, signal: AbortSignal): Promise<Answer<Proposal[]>>;
  reply(thread: ThreadView, signal: AbortSignal): Promise<Answer<Draft>>;
  rewrite(text: string, how: Rewriting, signal: AbortSignal): Promise<Answer<string>>;
  summarise(thread: ThreadView, signal: AbortSignal): Promise<Answer<string>>;
}
