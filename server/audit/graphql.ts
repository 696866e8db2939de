import { pageField } from '../platform/graphql-fields.ts';
import { builder } from '../platform/graphql.ts';
import { type AuditRecord, listAudit } from './service.ts';

const AuditEntry = builder.objectRef<AuditRecord>('AuditEntry').implement({
  description: 'One change by a person or a key.',
  fields: (t) => ({
    id: t.exposeID('id'),
    at: t.expose('at', { type: 'DateTime' }),
    actorType: t.exposeString('actorType', { description: 'agent or api_key.' }),
    actorName: t.exposeString('actorName', { nullable: true }),
    actorEmail: t.exposeString('email', { nullable: true }),
    key: t.exposeID('apiKeyId', { nullable: true, description: 'Id of the API key.' }),
    action: t.exposeString('action', { description: 'Name of the operation.' }),
    target: t.exposeID('targetId', { nullable: true }),
    fields: t.exposeStringList('changed', { description: 'Names of the fields that were given.' }),
    requestId: t.exposeString('requestId', { nullable: true }),
    ip: t.exposeString('ip', { nullable: true }),
  }),
});

pageField('auditLog', listAudit, {
  type: AuditEntry,
  description: 'What people and keys have changed, newest first, in the dashboard only.',
});
