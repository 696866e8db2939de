import { z } from 'zod';
import { email, idOut, moment, page, pageQuery, publicId, text, timestamp } from './common.ts';

/** One change by a person or a key. Values are not kept. Dashboard only. */
export const AuditEntry = z
  .strictObject({
    id: idOut,
    at: timestamp,
    actor: z.strictObject({
      type: z.enum(['agent', 'api_key']),
      name: z.string().nullable().meta({ description: 'As it was at the time; a key acts as its user.' }),
      email: z.string().nullable().meta({ description: 'Of the agent, as it is now.' }),
      key: idOut.nullable().meta({ description: 'Id of the API key.' }),
    }),
    action: z.string().meta({ description: 'Name of the operation.', examples: ['contacts.update'] }),
    resource: z.string().meta({ examples: ['contacts'] }),
    target: z.string().nullable().meta({ description: 'Id of the record; null for bulk operations.' }),
    fields: z.array(z.string()).meta({ description: 'Names of the fields that were given.' }),
    request_id: z.string().nullable(),
    ip: z.string().nullable(),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof AuditEntry>;

/** Newest first. */
export const AuditListQuery = z.object({
  actor: email.optional().meta({ description: 'E-mail of an agent; what their keys did counts too.' }),
  key: publicId.optional().meta({ description: 'Id of an API key.' }),
  action: text(100, 1).optional().meta({ description: 'Name of an operation, such as `contacts.update`.' }),
  resource: text(50, 1).optional(),
  target: publicId.optional(),
  from: moment.optional().meta({ description: 'At or after.' }),
  to: moment.optional().meta({ description: 'Before.' }),
  ...pageQuery,
});
export type AuditListQuery = z.infer<typeof AuditListQuery>;

export const AuditPage = page(AuditEntry);
