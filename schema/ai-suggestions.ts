import { z } from 'zod';
import { idOut, list, single, timestamp } from './common.ts';

export const suggestionKinds = ['reply', 'tag', 'tip'] as const;
export type SuggestionKind = (typeof suggestionKinds)[number];

/** Letters as the API document mixes them. */
export const suggestionStatuses = ['pending', 'APPROVED', 'DISMISSED', 'EXPIRED'] as const;

/** Suggestions that wait in one conversation at most. */
export const pendingMaximum = 5;
/** Characters of a history entry's label. */
export const labelMaximum = 120;

const kind = z.enum(suggestionKinds);

/** What AI proposes for a conversation. Source: API document, "AI suggestion". */
export const AiSuggestion = z
  .strictObject({
    id: idOut,
    kind,
    text: z.string().meta({ description: 'Of a tag its name.' }),
    color: z
      .string()
      .optional()
      .meta({ description: 'Only of a tag.', examples: ['#64748B'] }),
  })
  .meta({ id: 'AiSuggestion' });
export type AiSuggestion = z.infer<typeof AiSuggestion>;

/** What became of a suggestion. `at` is the time of the last change of `status`. */
export const AiSuggestionHistoryEntry = z
  .strictObject({
    label: z.string().meta({ maxLength: labelMaximum }),
    status: z.enum(suggestionStatuses),
    at: timestamp,
  })
  .meta({ id: 'AiSuggestionHistoryEntry' });
export type AiSuggestionHistoryEntry = z.infer<typeof AiSuggestionHistoryEntry>;

export const AiSuggestionList = list(AiSuggestion);
export const AiSuggestionHistory = list(AiSuggestionHistoryEntry);

export const GeneratedBody = single(
  z.strictObject({
    available: z.boolean().meta({ description: 'False: there was no answer, and the existing set is kept.' }),
    created: z.int().min(0).max(pendingMaximum),
  }),
);
export const ApprovedBody = single(
  z.strictObject({ kind, text: z.string().optional().meta({ description: 'Only of a reply.' }) }),
);
export const DismissedBody = single(z.strictObject({ kind }));
