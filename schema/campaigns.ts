import { z } from 'zod';
import {
  country,
  flag,
  idOut,
  issue,
  limits,
  moment,
  page,
  pageQuery,
  publicId,
  searchText,
  single,
  text,
  timestamp,
} from './common.ts';
import { MessageMedia } from './entries.ts';
import { captionMaximum, template, textMaximum } from './messages.ts';
import { variablesIn } from './quick-replies.ts';
import { campaignVariables, campaignStatuses, recipientStatuses, skipReasons } from './words.ts';

export { campaignVariables, campaignStatuses, recipientStatuses, skipReasons } from './words.ts';

export type CampaignStatus = (typeof campaignStatuses)[number];

export const pauseReasons = ['manual', 'error_rate', 'channel_down'] as const;

export type SkipReason = (typeof skipReasons)[number];

export const campaignActions = ['update', 'schedule', 'send', 'pause', 'resume', 'cancel'] as const;
export type CampaignAction = (typeof campaignActions)[number];

/**
 * What each status allows (decisions §4). An action that a status does not name and that has not happened already
 * is 409.
 */
export const campaignTransitions: Readonly<Record<CampaignStatus, readonly CampaignAction[]>> = {
  draft: ['update', 'schedule', 'send', 'cancel'],
  scheduled: ['update', 'schedule', 'send', 'pause', 'cancel'],
  queued: ['pause', 'cancel'],
  sending: ['pause', 'cancel'],
  paused: ['resume', 'cancel'],
  cancelling: [],
  cancelled: [],
  completed: [],
  failed: [],
};

const count = z.int().min(0);

export const CampaignStats = z
  .strictObject({
    total: count.meta({ description: '`pending` + `sent` + `failed` + `skipped`.' }),
    pending: count,
    sent: count.meta({ description: 'Includes those delivered and read.' }),
    delivered: count.meta({ description: 'Includes those read.' }),
    read: count,
    failed: count,
    skipped: count,
    replied: count.meta({ description: 'Recipients who wrote within 7 days.' }),
    unsubscribed: count,
    orders: count.meta({ description: 'Neither cancelled nor returned.' }),
    revenue: count.meta({ description: "Minor units of the company's currency." }),
  })
  .meta({ id: 'CampaignStats' });

/** A broadcast. Source: decisions §4. */
export const Campaign = z
  .strictObject({
    id: idOut,
    name: z.string(),
    channel: z.string().meta({ description: 'Kind of the channel.' }),
    status: z.enum(campaignStatuses),
    template: z.strictObject({ name: z.string(), language: z.string() }).nullable(),
    text: z.string().nullable(),
    media: MessageMedia.nullable(),
    audience: z.strictObject({ description: z.string(), size: count }),
    scheduled_at: timestamp.nullable(),
    started_at: timestamp.nullable(),
    paused_at: timestamp.nullable(),
    completed_at: timestamp.nullable(),
    cancelled_at: timestamp.nullable(),
    pause_reason: z.enum(pauseReasons).nullable(),
    failure_reason: z.string().nullable(),
    stats: CampaignStats,
    created_by: z.strictObject({ name: z.string(), email: z.string() }).nullable(),
    version: z.int().meta({ description: 'Grows with every change but that of the figures.' }),
    allowed_actions: z.array(z.enum(campaignActions)),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Campaign' });
export type Campaign = z.infer<typeof Campaign>;

export const CampaignListQuery = z.object({ status: z.enum(campaignStatuses).optional(), ...pageQuery });
export type CampaignListQuery = z.infer<typeof CampaignListQuery>;

const tagMaximum = 20;

/** Whom a campaign goes to: what the list of contacts can be filtered by, and any of the tags. Nothing: everybody. */
export const CampaignAudience = z.object({
  q: searchText.nullish().meta({ description: 'Text in name, phone or e-mail.' }),
  phone: text(limits.phone).nullish(),
  country: country.nullish(),
  blocked: flag.nullish(),
  subscribed: flag.nullish(),
  tags: z.array(publicId).max(tagMaximum).nullish(),
});
export type CampaignAudience = z.infer<typeof CampaignAudience>;

const timeOfDay = z
  .string()
  .superRefine((value, context) => {
    if (!/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value))
      context.addIssue(issue('format', 'Must be a time of day, as 21:00.'));
  })
  .meta({ examples: ['21:00'] });

/** Times between which nothing is sent, in the contact's own time zone; they may span midnight. */
export const QuietHours = z
  .object({ from: timeOfDay, to: timeOfDay })
  .superRefine(({ from, to }, context) => {
    if (from === to) context.addIssue({ ...issue('not_allowed', 'Must differ from from.'), path: ['to'] });
  });
export type QuietHours = z.infer<typeof QuietHours>;

const campaignText = text(textMaximum, 1)
  .superRefine((value, context) => {
    const unknown = variablesIn(value).find((name) => !campaignVariables.some((known) => known === name));
    if (unknown !== undefined)
      context.addIssue(
        issue('enum', `There is no variable {{${unknown}}}; use ${campaignVariables.join(', ')}.`),
      );
  })
  .meta({ minLength: 1, maxLength: textMaximum, description: 'Caption of a file: at most 1024 characters.' });

const content = {
  text: campaignText.nullish(),
  media_url: text(2048, 1).nullish().meta({ description: 'URL that `POST /media` returned.' }),
  template: template.nullish().meta({ description: 'Instead of text and file.' }),
};

const settings = {
  audience: CampaignAudience.optional(),
  quiet_hours: QuietHours.nullish(),
};

/** A campaign with a template has neither text nor file. */
export function contentIssues({
  text: body,
  media_url: media,
  template: name,
}: {
  text?: string | null | undefined;
  media_url?: string | null | undefined;
  template?: object | null | undefined;
}) {
  if (name != null && (body != null || media != null))
    return { ...issue('not_allowed', 'Goes without text and file.'), path: ['template'] };
  if (name == null && body == null && media == null)
    return { ...issue('required', 'Needs a text, a file or a template.'), path: ['text'] };
  if (media != null && [...(body ?? '')].length > captionMaximum)
    return { ...issue('max', `A caption has at most ${captionMaximum} characters.`), path: ['text'] };
  return null;
}

export const CampaignCreate = z
  .object({
    name: text(191, 1).meta({ minLength: 1, maxLength: 191 }),
    channel: text(30, 1)
      .optional()
      .meta({ description: "Name or kind of a channel; the company's default unless given." }),
    ...content,
    ...settings,
  })
  .superRefine((input, context) => {
    const found = contentIssues(input);
    if (found) context.addIssue(found);
  });
export type CampaignCreate = z.infer<typeof CampaignCreate>;

/** Absent keeps, null clears. Only drafts and scheduled campaigns change. */
export const CampaignUpdate = z.object({
  name: text(191, 1).optional().meta({ minLength: 1, maxLength: 191 }),
  channel: text(30, 1).optional(),
  ...content,
  ...settings,
  version: z.int().optional().meta({ description: 'Of the record that was changed; another is 409.' }),
});
export type CampaignUpdate = z.infer<typeof CampaignUpdate>;

export const CampaignSchedule = z.object({ scheduled_at: moment });

/** Dry run of an audience: who would get it, and why others would not. */
export const CampaignPreview = z.object({
  channel: text(30, 1).optional(),
  audience: CampaignAudience.optional(),
});

export const CampaignPreviewBody = single(
  z
    .strictObject({
      description: z.string(),
      total: count,
      reachable: count,
      skipped: z.strictObject(
        Object.fromEntries(skipReasons.map((reason) => [reason, count])) as Record<SkipReason, typeof count>,
      ),
      sample: z.array(
        z.strictObject({
          contact: idOut,
          name: z.string().nullable(),
          address: z.string().nullable(),
          skip_reason: z.enum(skipReasons).nullable(),
        }),
      ),
    })
    .meta({ id: 'CampaignPreview' }),
);

export const CampaignRecipient = z
  .strictObject({
    contact: z.strictObject({ id: idOut, name: z.string().nullable() }),
    address: z.string().nullable(),
    status: z.enum(recipientStatuses),
    skip_reason: z.enum(skipReasons).nullable(),
    failure_code: z.string().nullable(),
    message: idOut.nullable(),
    sent_at: timestamp.nullable(),
    delivered_at: timestamp.nullable(),
    read_at: timestamp.nullable(),
    failed_at: timestamp.nullable(),
    replied_at: timestamp.nullable(),
    unsubscribed_at: timestamp.nullable(),
  })
  .meta({ id: 'CampaignRecipient' });
export type CampaignRecipient = z.infer<typeof CampaignRecipient>;

export const RecipientListQuery = z.object({
  status: z.enum(recipientStatuses).optional(),
  skip_reason: z.enum(skipReasons).optional(),
  ...pageQuery,
});
export type RecipientListQuery = z.infer<typeof RecipientListQuery>;

/** What the dashboard edits. */
export const CampaignSettings = z
  .strictObject({
    id: idOut,
    channel: idOut.meta({ description: 'Id of the channel.' }),
    template: z.record(z.string(), z.unknown()).nullable(),
    text: z.string().nullable(),
    media_url: z.string().nullable(),
    audience: z.record(z.string(), z.unknown()),
    quiet_hours: z.strictObject({ from: z.string(), to: z.string() }).nullable(),
    version: z.int(),
  })
  .meta({ id: 'CampaignSettings' });

export const CampaignBody = single(Campaign);
export const CampaignPage = page(Campaign);
export const RecipientPage = page(CampaignRecipient);
export const CampaignSettingsBody = single(CampaignSettings);

/** What happened when, from the first message on. Dashboard only. */
export const CampaignTimelineBody = single(
  z
    .strictObject({
      step: z.int().min(60).meta({ description: 'Length of an interval, in seconds.' }),
      intervals: z
        .array(
          z.strictObject({
            start: timestamp,
            sent: count,
            delivered: count,
            read: count,
            failed: count,
            replied: count,
          }),
        )
        .meta({ description: 'Oldest first, those in which nothing happened left out; at most 400.' }),
    })
    .meta({ id: 'CampaignTimeline' }),
);
