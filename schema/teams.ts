import { z } from 'zod';
import { Deleted, email, idOut, issue, list, single, text, timestamp } from './common.ts';

/** A group of agents that conversations can be transferred to. Dashboard only. */
export const Team = z
  .strictObject({
    id: idOut,
    name: z.string(),
    slug: z.string().meta({ description: 'Accepted wherever a team id is.', examples: ['sales'] }),
    members: z.array(z.strictObject({ name: z.string(), email: z.string() })),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Team' });
export type Team = z.infer<typeof Team>;

export const teamMemberMaximum = 200;

const name = text(100, 1);
const slug = text(50, 1).superRefine((value, context) => {
  if (!/^[a-z0-9][a-z0-9-]*$/.test(value))
    context.addIssue(issue('format', 'Must consist of lower-case letters, digits and hyphens.'));
});
const members = z
  .array(email)
  .max(teamMemberMaximum)
  .meta({ description: 'E-mails of agents; replaces them all.' });

export const TeamCreate = z.object({
  name,
  slug: slug.optional().meta({ description: 'Made of the name unless given; unique.' }),
  members: members.optional(),
});
export type TeamCreate = z.infer<typeof TeamCreate>;

export const TeamUpdate = TeamCreate.partial();
export type TeamUpdate = z.infer<typeof TeamUpdate>;

export const TeamBody = single(Team);
export const TeamList = list(Team);
export const TeamDeleted = single(Deleted);
