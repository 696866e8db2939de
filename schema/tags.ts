import { z } from 'zod';
import { idOut, issue, page, pageQuery, searchText, single, text, timestamp } from './common.ts';

/** A label for contacts and conversations. System tags are read-only. Source: decisions §2. */
export const Tag = z
  .strictObject({
    id: idOut,
    name: z.string(),
    color: z.string().meta({ description: '`#RRGGBB`.', examples: ['#64748B'] }),
    system: z.boolean().meta({ description: 'Kept by Parlour; read-only.' }),
    conversations_count: z.int().min(0),
    contacts_count: z.int().min(0),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Tag' });
export type Tag = z.infer<typeof Tag>;

/** At most this many tags a company. */
export const tagMaximum = 500;
export const defaultTagColor = '#64748B';

const name = text(50, 1)
  .superRefine((value, context) => {
    if (value !== '' && value.trim() === '') context.addIssue(issue('required', 'Must not be blank.'));
  })
  .meta({
    minLength: 1,
    maxLength: 50,
    description: 'Unique per company without regard to case.',
    examples: ['vip'],
  });
const color = z
  .string()
  .regex(/^#[0-9A-Fa-f]{6}$/)
  .meta({ examples: [defaultTagColor] });

export const TagCreate = z.object({ name, color: color.optional().meta({ default: defaultTagColor }) });
export type TagCreate = z.infer<typeof TagCreate>;

export const TagUpdate = z.object({ name: name.optional(), color: color.optional() });
export type TagUpdate = z.infer<typeof TagUpdate>;

/** Query of the list, which is in name order. */
export const TagListQuery = z.object({
  q: searchText.optional().meta({ description: 'Text in the name.' }),
  ...pageQuery,
});
export type TagListQuery = z.infer<typeof TagListQuery>;

export const TagBody = single(Tag);
export const TagPage = page(Tag);
