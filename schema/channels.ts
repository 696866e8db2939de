import { z } from 'zod';
import { idOut, issue, list, pathId, single, text, timestamp } from './common.ts';

export const channelKinds = [
  'simulator',
  'webchat',
  'whatsapp',
  'messenger',
  'instagram',
  'tiktok',
  'sms',
  'email',
  'api',
] as const;
export type ChannelKind = (typeof channelKinds)[number];

/** A way messages travel: one number, one mailbox, one web widget. Managed in the dashboard. */
export const Channel = z
  .strictObject({
    id: idOut,
    kind: z.enum(channelKinds),
    name: z.string(),
    status: z.enum(['active', 'disabled', 'failing']),
    is_default: z.boolean().meta({ description: 'Used for a contact without a conversation.' }),
    config: z.record(z.string(), z.unknown()).meta({ description: 'Public settings of the kind.' }),
    credentials: z
      .record(z.string(), z.string())
      .nullable()
      .meta({ description: 'Masked: the last four characters of each.' }),
    webhook_url: z
      .string()
      .nullable()
      .meta({ description: 'Where the provider is to call; null for a kind without.' }),
    reopen_hours: z.int().nullable().meta({
      description: 'So long a message reopens a closed conversation; 0 never, null always.',
    }),
    ai_auto_reply: z.boolean(),
    campaign_rate: z.int(),
    rating_request: z.boolean().meta({
      description: 'Whether its customers are asked for ratings, where the company asks at all.',
    }),
    failure_reason: z.string().nullable(),
    last_inbound_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Channel' });
export type Channel = z.infer<typeof Channel>;

const config = z.record(z.string(), z.unknown()).superRefine((value, context) => {
  if (JSON.stringify(value).length > 16_384) context.addIssue(issue('max', 'Must have at most 16 KiB.'));
});

/** Kept encrypted and never shown again. */
const credentials = z.record(z.string(), z.unknown()).superRefine((value, context) => {
  if (JSON.stringify(value).length > 16_384) context.addIssue(issue('max', 'Must have at most 16 KiB.'));
});

const settings = {
  name: text(30, 1).meta({ description: 'Unique per company without regard to case.' }),
  config,
  credentials,
  is_default: z.boolean(),
  reopen_hours: z.int().min(0).max(87_600).nullable(),
  ai_auto_reply: z.boolean(),
  campaign_rate: z.int().min(1).max(1000).meta({ description: 'Messages a second that campaigns may send.' }),
  rating_request: z.boolean(),
};
const { name, ...others } = settings;

export const ChannelCreate = z.object({
  kind: z.enum(channelKinds),
  name,
  ...z.object(others).partial().shape,
});
export type ChannelCreate = z.infer<typeof ChannelCreate>;

/** Absent keeps. */
export const ChannelUpdate = z.object({
  ...z.object(settings).partial().shape,
  status: z.enum(['active', 'disabled']).optional(),
});
export type ChannelUpdate = z.infer<typeof ChannelUpdate>;

export const ChannelPath = z.object({ channel: pathId });
/** A message that the provider has approved, or not yet. */
export const ChannelTemplate = z
  .strictObject({
    name: z.string(),
    language: z.string(),
    status: z.string(),
    category: z.string(),
    marketing: z.boolean(),
    components: z.array(z.record(z.string(), z.unknown())),
  })
  .meta({ id: 'ChannelTemplate' });
export type ChannelTemplate = z.infer<typeof ChannelTemplate>;
export const ChannelTemplateList = list(ChannelTemplate);

export const ChannelBody = single(Channel);
export const ChannelList = list(Channel);

const delay = z.int().min(0).max(600_000);

/** Settings of a simulator channel. Delays are in milliseconds after acceptance. */
export const SimulatorConfig = z.object({
  delays: z
    .object({ sent: delay.default(0), delivered: delay.default(700), read: delay.default(2_500) })
    .default({ sent: 0, delivered: 700, read: 2_500 }),
  /** Templates that the simulated provider has approved as marketing. */
  marketing_templates: z.array(z.string()).default([]),
});
export type SimulatorConfig = z.infer<typeof SimulatorConfig>;
