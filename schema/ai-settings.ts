import { z } from 'zod';
import { single } from './common.ts';

export const aiProviders = ['built_in', 'openai', 'none'] as const;
/** What a provider outside may be told. */
export const aiPrivacies = ['nothing', 'redacted', 'full'] as const;
export const aiHoldMaximum = 120;

const amount = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

const settings = {
  enabled: z.boolean().meta({ description: 'AI assistance as a whole.' }),
  provider: z.enum(aiProviders).nullable().meta({ description: 'Null: what the installation has.' }),
  auto_reply: z.boolean().meta({ description: 'Also needs the switch of the channel.' }),
  hold_seconds: z.int().min(0).max(aiHoldMaximum).meta({ description: 'How long an AI reply waits.' }),
  privacy: z
    .enum(aiPrivacies)
    .meta({ description: 'What a provider outside is told: nothing, redacted or full.' }),
  monthly_budget: amount.nullable().meta({ description: 'Micro units of USD per month; null is no limit.' }),
  monthly_tokens: amount.nullable().meta({ description: 'Input and output tokens; null is no limit.' }),
};

/** How AI assists a company, and what it spent this month. Dashboard only. */
export const AiSettings = z
  .strictObject({ ...settings, spent: z.strictObject({ cost: amount, tokens: amount }) })
  .meta({ id: 'AiSettings' });
export type AiSettings = z.infer<typeof AiSettings>;

/** Absent keeps. */
export const AiSettingsUpdate = z.object(settings).partial();
export type AiSettingsUpdate = z.infer<typeof AiSettingsUpdate>;

export const AiSettingsBody = single(AiSettings);
