import type {
  AiFeedback as FeedbackRow,
  AiSuggestion as SuggestionRow,
} from '../../prisma/generated/client/client.ts';
import type { AiFeedback } from '../../schema/ai-feedback.ts';
import {
  type AiSuggestion,
  type AiSuggestionHistoryEntry,
  labelMaximum,
  type SuggestionKind,
  suggestionKinds,
  suggestionStatuses,
} from '../../schema/ai-suggestions.ts';

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
  return {
    message_id: messageId,
    feedback_id: id,
    rating: rating === 1 ? 'up' : rating === -1 ? 'down' : 'none',
  };
}
