import { z } from 'zod';
import { idOut, issue, page, pageQuery, pathId, searchText, single, text, timestamp } from './common.ts';
import { MessageMedia } from './entries.ts';
import { quickReplyVariables, variablesIn } from './words.ts';

export { quickReplyVariables, variablePattern, variablesIn } from './words.ts';

export type QuickReplyVariable = (typeof quickReplyVariables)[number];

/** A saved answer. Source: decisions §2. */
export const QuickReply = z
  .strictObject({
    id: idOut,
    shortcut: z.string(),
    title: z.string().nullable(),
    text: z.string(),
    variables: z.array(z.string()).meta({ description: 'Names used in the text, in order of appearance.' }),
    media: MessageMedia.nullable(),
    category: z.string().nullable(),
    usage_count: z.int().min(0),
    created_by: z.strictObject({ name: z.string(), email: z.string() }).nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'QuickReply' });
export type QuickReply = z.infer<typeof QuickReply>;

const shortcut = text(50, 1)
  .superRefine((value, context) => {
    if (value !== '' && !/^[a-z0-9][a-z0-9_-]*$/.test(value))
      context.addIssue(issue('format', 'Must be lower-case letters, digits, - and _.'));
  })
  .meta({ minLength: 1, maxLength: 50, pattern: '^[a-z0-9][a-z0-9_-]*$', examples: ['hello'] });

const body = text(4096, 1)
  .superRefine((value, context) => {
    const unknown = variablesIn(value).find((name) => !quickReplyVariables.some((known) => known === name));
    if (unknown !== undefined)
      context.addIssue(
        issue('enum', `There is no variable {{${unknown}}}; use ${quickReplyVariables.join(', ')}.`),
      );
  })
  .meta({
    minLength: 1,
    maxLength: 4096,
    description: `May name ${quickReplyVariables.map((name) => `\`{{${name}}}\``).join(', ')}, with a fallback: \`{{contact.first_name|there}}\`.`,
  });

const optional = {
  title: text(100).nullish(),
  media_url: text(2048).nullish().meta({ description: 'URL that `POST /media` returned.' }),
  category: text(50).nullish(),
};

export const QuickReplyCreate = z.object({ shortcut, text: body, ...optional });
export type QuickReplyCreate = z.infer<typeof QuickReplyCreate>;

/** Absent keeps, null clears. */
export const QuickReplyUpdate = z.object({
  shortcut: shortcut.optional(),
  text: body.optional(),
  ...optional,
});
export type QuickReplyUpdate = z.infer<typeof QuickReplyUpdate>;

export const QuickReplyPath = z.object({ quick_reply: pathId });

/** Query of the list, which is in order of shortcuts. */
export const QuickReplyListQuery = z.object({
  q: searchText.optional().meta({ description: 'Text in shortcut, title or text.' }),
  ...pageQuery,
});
export type QuickReplyListQuery = z.infer<typeof QuickReplyListQuery>;

export const QuickReplyBody = single(QuickReply);
export const QuickReplyPage = page(QuickReply);
/** A saved text as it reads in a conversation. Dashboard only. */
export const QuickReplyPreviewBody = single(
  z.strictObject({
    text: z
      .string()
      .meta({ description: 'What has no value and no fallback still stands there as `{{name}}`.' }),
    media: MessageMedia.nullable(),
  }),
);
