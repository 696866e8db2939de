import type {
  AiFeedback as FeedbackRow,
  AiSuggestion as SuggestionRow,
} from '../../prisma/generated/client/client.ts';
import { type AiCall, aiOutcomes, aiPurposes } from '../../schema/ai-calls.ts';
import type { AiFeedback } from '../../schema/ai-feedback.ts';
import {
  type AiSuggestion,
  type AiSuggestionHistoryEntry,
  labelMaximum,
  type SuggestionKind,
  suggestionKinds,
  suggestionStatuses,
} from '../../schema/ai-suggestions.ts';
import type { CallRecord } from './calls.ts';

export function presentSuggestion(row: SuggestionRow): AiSuggestion {
  const kind = suggestionKind(row);
  return { id: row.id, kind, text: row.text, ...(kind === 'tag' ? { color: row.color ?? '' } : {}) };
}

/** The database's checks allow only these words. */
export function suggestionKind({ kind }: Pick<SuggestionRow, 'kind'>): SuggestionKind {
  return suggestionKinds.find((known) => known === kind) ?? 'tip';
}

export function presentHistoryEntry(row: SuggestionRow): AiSuggestionHistoryEntry {
  return {
    label: [...row.text].slice(0, labelMaximum).join(''),
    status: suggestionStatuses.find((known) => known === row.status) ?? 'EXPIRED',
    at: row.statusAt.toISOString(),
  };
}

export function presentFeedback({ messageId, id, rating }: FeedbackRow): AiFeedback {
  return { message_id: messageId, feedback_id: id, rating: ratingWord(rating) };
}

function ratingWord(rating: number | null): AiFeedback['rating'] {
  if (rating === null) return 'none';
  return rating > 0 ? 'up' : 'down';
}

export function presentCall(row: CallRecord): AiCall {
  const { approverName: name, approverEmail: email } = row;
  return {
    id: row.id,
    purpose: aiPurposes.find((known) => known === row.purpose) ?? 'insights',
    conversation: row.conversationId,
    message: row.messageId,
    provider: row.provider,
    model: row.model,
    input_hash: Buffer.from(row.inputHash).toString('hex'),
    input_tokens: row.inputTokens,
    output_tokens: row.outputTokens,
    cost: Number(row.cost),
    latency_ms: row.latencyMs,
    outcome: aiOutcomes.find((known) => known === row.outcome) ?? 'error',
    approved_by: name === null || email === null ? null : { name, email },
    rating: row.feedbackId === null ? null : ratingWord(row.rating),
    created_at: row.createdAt.toISOString(),
  };
}
