import { AiCallPage } from '../../schema/ai-calls.ts';
import { CopilotBody } from '../../schema/ai-copilot.ts';
import { AiFeedbackList, AiRatingBody } from '../../schema/ai-feedback.ts';
import { AiInsightsBody } from '../../schema/ai-insights.ts';
import { AiSettingsBody } from '../../schema/ai-settings.ts';
import {
  AiSuggestionHistory,
  AiSuggestionList,
  ApprovedBody,
  DismissedBody,
  GeneratedBody,
} from '../../schema/ai-suggestions.ts';
import { presentPage } from '../platform/present.ts';
import { procedure, router } from '../platform/trpc.ts';
import { listAiCalls } from './calls.ts';
import { rewriteDraft, summariseConversation } from './copilot.ts';
import { approveSuggestion, dismissSuggestion } from './decide.ts';
import { listFeedback, rateFeedback } from './feedback.ts';
import { generateSuggestions } from './generate.ts';
import { showInsights } from './insights.ts';
import { presentInsights } from './present-insights.ts';
import {
  presentCall,
  presentFeedback,
  presentHistoryEntry,
  presentSuggestion,
  suggestionKind,
} from './present.ts';
import { showAiSettings, updateAiSettings } from './settings.ts';
import { listSuggestionHistory, listSuggestions } from './suggestions.ts';

const tag = 'AI assistance';
const path = '/conversations/{conversation}';

export const aiRouter = router({
  feedback: procedure(listFeedback, {
    output: AiFeedbackList,
    present: (rows) => ({ data: rows.map(presentFeedback) }),
    rest: {
      method: 'GET',
      path: `${path}/ai-feedback`,
      tag,
      summary: 'List the ratings of AI messages',
      description: 'In send order. A row belongs to its message, whatever other messages say.',
    },
  }),
  rateFeedback: procedure(rateFeedback, {
    output: AiRatingBody,
    present: ({ rating }) => ({ data: { rating } }),
    rest: {
      method: 'POST',
      path: '/ai-feedback/{feedback}/rate',
      tag,
      summary: 'Rate an AI message',
      description: 'The rating that is active already clears it.',
      legacy: 'rating',
    },
  }),
  insights: procedure(showInsights, {
    output: AiInsightsBody,
    present: (row) => ({ data: presentInsights(row) }),
    rest: {
      method: 'GET',
      path: `${path}/ai-insights`,
      tag,
      summary: 'Show what AI makes of a conversation',
      description: 'Computed when the customer writes, so reading never waits; empty until then.',
    },
  }),
  generateSuggestions: procedure(generateSuggestions, {
    output: GeneratedBody,
    present: (result) => ({ data: result }),
    rest: {
      method: 'POST',
      path: `${path}/ai-suggestions/generate`,
      tag,
      summary: 'Generate suggestions',
      description:
        'Takes 20 s at most, and 10 times a minute for each conversation. The new set replaces what is pending; ' +
        'with `available` false the existing set is kept.',
    },
  }),
  suggestions: procedure(listSuggestions, {
    output: AiSuggestionList,
    present: (rows) => ({ data: rows.map(presentSuggestion) }),
    rest: {
      method: 'GET',
      path: `${path}/ai-suggestions`,
      tag,
      summary: 'List pending suggestions',
      description: 'Newest first.',
    },
  }),
  suggestionHistory: procedure(listSuggestionHistory, {
    output: AiSuggestionHistory,
    present: (rows) => ({ data: rows.map(presentHistoryEntry) }),
    rest: {
      method: 'GET',
      path: `${path}/ai-suggestions/history`,
      tag,
      summary: 'List suggestions of every status',
      description: 'Newest first, at most 200.',
    },
  }),
  approveSuggestion: procedure(approveSuggestion, {
    output: ApprovedBody,
    present: (row) => ({
      data: { kind: suggestionKind(row), ...(row.kind === 'reply' ? { text: row.text } : {}) },
    }),
    rest: {
      method: 'POST',
      path: `${path}/ai-suggestions/{suggestion}/approve`,
      tag,
      summary: 'Approve a suggestion',
      description: 'A tag is attached; the text of a reply is returned and never sent by itself.',
    },
  }),
  dismissSuggestion: procedure(dismissSuggestion, {
    output: DismissedBody,
    present: (row) => ({ data: { kind: suggestionKind(row) } }),
    rest: {
      method: 'POST',
      path: `${path}/ai-suggestions/{suggestion}/dismiss`,
      tag,
      summary: 'Dismiss a suggestion',
      description: 'Only one that is still pending; nothing else happens.',
    },
  }),
  rewriteDraft: procedure(rewriteDraft, { output: CopilotBody, present: (result) => ({ data: result }) }),
  summarise: procedure(summariseConversation, {
    output: CopilotBody,
    present: (result) => ({ data: result }),
  }),
  calls: procedure(listAiCalls, { output: AiCallPage, present: presentPage(presentCall) }),
  settings: procedure(showAiSettings, { output: AiSettingsBody, present: (result) => ({ data: result }) }),
  updateSettings: procedure(updateAiSettings, {
    output: AiSettingsBody,
    present: (result) => ({ data: result }),
  }),
});
