import { z } from 'zod';
import { email, idOut, list, pathId, publicId, single, text, timestamp } from './common.ts';
import { ConversationNote, mentionMaximum } from './conversations.ts';
import { MessageMedia } from './entries.ts';
import { MessageSend, textMaximum } from './messages.ts';

export const draftModes = ['reply', 'note'] as const;
export type DraftMode = (typeof draftModes)[number];

/** At most so many files wait in a draft. */
export const draftMediaMaximum = 10;
/** Files of a draft are kept so many days after it was last saved; without one, an unused upload has 24 hours. */
export const draftMediaDays = 365;

/** What an agent has written in a thread and not sent yet. Nobody else sees it. Dashboard only. */
export const Draft = z
  .strictObject({
    conversation: idOut,
    mode: z.enum(draftModes),
    text: z.string(),
    media: z.array(MessageMedia),
    reply_to: idOut.nullable().meta({ description: 'The message that it answers.' }),
    mentions: z.array(z.string()).meta({ description: 'E-mails of agents.' }),
    version: z.int().min(0).meta({
      description:
        'Goes into the next save. Grows with each save, and when the draft is sent or deleted; 0: never saved.',
    }),
    updated_at: timestamp.nullable(),
  })
  .meta({ id: 'Draft' });
export type Draft = z.infer<typeof Draft>;

const mode = z.enum(draftModes);
/** `version` of the draft that the change was made from. */
const version = z.int().min(0).max(2_147_483_646);

export const DraftPath = z.object({ conversation: pathId, mode });

/** Replaces the whole draft; what is absent is empty. */
export const DraftSave = z.object({
  mode,
  version,
  text: text(textMaximum),
  media_urls: z
    .array(text(2048, 1))
    .max(draftMediaMaximum)
    .optional()
    .meta({ description: 'URLs that uploads returned.' }),
  reply_to: publicId.nullish(),
  mentions: z.array(email).max(mentionMaximum).optional(),
});

export const DraftDelete = z.object({ mode, version });

/** A message, and the `version` of the draft it was made of: that draft, or an older one, is emptied. */
export const DraftSend = MessageSend.safeExtend({ conversation: publicId, draft: version });
export const DraftNote = ConversationNote.extend({ draft: version });

export const DraftBody = single(Draft);
export const DraftList = list(Draft);
