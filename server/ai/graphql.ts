import type {
  AiFeedback as FeedbackRow,
  AiSuggestion as SuggestionRow,
} from '../../prisma/generated/client/client.ts';
import type { AiSettings } from '../../schema/ai-settings.ts';
import { listField, mutationField, pageField, queryField } from '../platform/graphql-fields.ts';
import { builder } from '../platform/graphql.ts';
import { type CallRecord, listAiCalls } from './calls.ts';
import { rewriteDraft, summariseConversation } from './copilot.ts';
import { approveSuggestion, dismissSuggestion } from './decide.ts';
import { listFeedback, rateFeedback } from './feedback.ts';
import { generateSuggestions } from './generate.ts';
import { presentCall, presentFeedback, presentHistoryEntry, presentSuggestion } from './present.ts';
import { showAiSettings, updateAiSettings } from './settings.ts';
import { listSuggestionHistory, listSuggestions } from './suggestions.ts';

const Suggestion = builder.objectRef<SuggestionRow>('AiSuggestion').implement({
  description: 'What AI proposes for a conversation. Only approving acts.',
  fields: (t) => ({
    id: t.exposeID('id'),
    kind: t.exposeString('kind', { description: 'reply, tag or tip.' }),
    text: t.exposeString('text', { description: 'Of a tag its name.' }),
    color: t.string({
      nullable: true,
      description: 'Only of a tag.',
      resolve: (row) => presentSuggestion(row).color ?? null,
    }),
  }),
});

const HistoryEntry = builder.objectRef<SuggestionRow>('AiSuggestionHistoryEntry').implement({
  fields: (t) => ({
    label: t.string({ resolve: (row) => presentHistoryEntry(row).label }),
    status: t.exposeString('status', { description: 'pending, APPROVED, DISMISSED or EXPIRED.' }),
    at: t.expose('statusAt', { type: 'DateTime' }),
  }),
});

const Feedback = builder.objectRef<FeedbackRow>('AiFeedback').implement({
  description: 'How one AI message was found.',
  fields: (t) => ({
    messageId: t.exposeID('messageId'),
    feedbackId: t.exposeID('id'),
    rating: t.string({ description: 'up, down or none.', resolve: (row) => presentFeedback(row).rating }),
  }),
});

const Rating = builder.objectRef<{ rating: number | null }>('AiRating').implement({
  fields: (t) => ({ rating: t.exposeInt('rating', { nullable: true, description: '1, -1 or none.' }) }),
});

const Generated = builder
  .objectRef<{ available: boolean; created: number }>('GeneratedSuggestions')
  .implement({
    fields: (t) => ({
      available: t.exposeBoolean('available', {
        description: 'False: there was no answer, and the existing set is kept.',
      }),
      created: t.exposeInt('created'),
    }),
  });

const Approved = builder.objectRef<SuggestionRow>('ApprovedSuggestion').implement({
  fields: (t) => ({
    kind: t.exposeString('kind'),
    text: t.string({
      nullable: true,
      description: 'Only of a reply.',
      resolve: ({ kind, text }) => (kind === 'reply' ? text : null),
    }),
  }),
});

const Dismissed = builder.objectRef<SuggestionRow>('DismissedSuggestion').implement({
  fields: (t) => ({ kind: t.exposeString('kind') }),
});

const Copilot = builder.objectRef<{ available: boolean; text: string | null }>('AiText').implement({
  fields: (t) => ({
    available: t.exposeBoolean('available', { description: 'False: there was no answer.' }),
    text: t.exposeString('text', { nullable: true }),
  }),
});

const Spent = builder.objectRef<AiSettings['spent']>('AiSpent').implement({
  description: 'What AI cost in this month.',
  fields: (t) => ({
    cost: t.expose('cost', { type: 'SafeInt', description: 'Micro units of USD.' }),
    tokens: t.expose('tokens', { type: 'SafeInt' }),
  }),
});

const Settings = builder.objectRef<AiSettings>('AiSettings').implement({
  description: 'How AI assists the company.',
  fields: (t) => ({
    enabled: t.exposeBoolean('enabled', { description: 'AI assistance as a whole.' }),
    provider: t.exposeString('provider', {
      nullable: true,
      description: 'built_in, openai or none; null is what the installation has.',
    }),
    autoReply: t.exposeBoolean('auto_reply', { description: 'Also needs the switch of the channel.' }),
    holdSeconds: t.exposeInt('hold_seconds', { description: 'How long an AI reply waits.' }),
    privacy: t.exposeString('privacy', {
      description: 'What a provider outside is told: nothing, redacted or full.',
    }),
    monthlyBudget: t.expose('monthly_budget', {
      type: 'SafeInt',
      nullable: true,
      description: 'Micro units of USD; null is no limit.',
    }),
    monthlyTokens: t.expose('monthly_tokens', { type: 'SafeInt', nullable: true }),
    spent: t.expose('spent', { type: Spent }),
  }),
});

const Approver = builder.objectRef<{ name: string; email: string }>('AiCallApprover').implement({
  fields: (t) => ({ name: t.exposeString('name'), email: t.exposeString('email') }),
});

const Call = builder.objectRef<CallRecord>('AiCall').implement({
  description: 'One call of an AI provider, as the ledger keeps it.',
  fields: (t) => ({
    id: t.exposeID('id'),
    purpose: t.exposeString('purpose', { description: 'reply, suggestions, insights, rewrite or summary.' }),
    conversation: t.exposeID('conversationId', { nullable: true }),
    message: t.exposeID('messageId', { nullable: true, description: 'The reply that was made of it.' }),
    provider: t.exposeString('provider'),
    model: t.exposeString('model'),
    inputHash: t.string({
      description: 'SHA-256 of what the provider was given, in hex.',
      resolve: (row) => presentCall(row).input_hash,
    }),
    inputTokens: t.exposeInt('inputTokens'),
    outputTokens: t.exposeInt('outputTokens'),
    cost: t.expose('cost', { type: 'SafeInt', description: 'Micro units of USD.' }),
    latencyMs: t.exposeInt('latencyMs'),
    outcome: t.exposeString('outcome', {
      description: 'ok, refused, malformed, timeout, error, or budget: nobody was asked.',
    }),
    approvedBy: t.field({
      type: Approver,
      nullable: true,
      resolve: (row) => presentCall(row).approved_by,
    }),
    rating: t.string({
      nullable: true,
      description: 'up, down or none, of the reply; null without one.',
      resolve: (row) => presentCall(row).rating,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

pageField('aiCalls', listAiCalls, { type: Call, description: 'Calls of AI providers, newest first.' });
listField('aiSuggestions', listSuggestions, {
  type: Suggestion,
  description: "A conversation's pending suggestions, newest first.",
});
listField('aiSuggestionHistory', listSuggestionHistory, {
  type: HistoryEntry,
  description: "A conversation's suggestions of every status, newest first.",
});
listField('aiFeedback', listFeedback, {
  type: Feedback,
  description: "Ratings of a conversation's AI messages, in send order.",
});
queryField('aiSettings', showAiSettings, { type: Settings, description: 'How AI assists the company.' });
mutationField('generateSuggestions', generateSuggestions, {
  type: Generated,
  description: 'Asks AI for suggestions; the new set replaces what is pending.',
});
mutationField('approveSuggestion', approveSuggestion, {
  type: Approved,
  description: 'Takes a suggestion up: a tag is attached, a reply is handed back and never sent.',
});
mutationField('dismissSuggestion', dismissSuggestion, {
  type: Dismissed,
  description: 'Turns a suggestion down.',
});
mutationField('rateAiFeedback', rateFeedback, {
  type: Rating,
  input: 'AiRateInput',
  description: 'Rates an AI message; the rating that is active already clears it.',
});
mutationField('rewriteDraft', rewriteDraft, {
  type: Copilot,
  input: 'DraftRewriteInput',
  description: "Writes an agent's draft anew, in the dashboard only.",
});
mutationField('summariseConversation', summariseConversation, {
  type: Copilot,
  description: 'Says what a conversation is about, in the dashboard only.',
});
mutationField('updateAiSettings', updateAiSettings, {
  type: Settings,
  input: 'AiSettingsInput',
  description: 'Changes how AI assists the company. A field that is absent stays as it is.',
});
