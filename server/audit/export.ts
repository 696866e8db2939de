import type { Context } from '../platform/context.ts';
import { type ExportOptions, exportCsv, exportPage } from '../platform/csv-export.ts';
import { execute } from '../platform/operation.ts';
import { presentAudit } from './present.ts';
import { listAudit } from './service.ts';

const names = [
  'id',
  'at',
  'actor_type',
  'actor_name',
  'actor_email',
  'key',
  'action',
  'target',
  'fields',
  'request_id',
  'ip',
] as const;

/** The entries that the log would show, as CSV, newest first. @throws AppError `validation_failed`, `forbidden` */
export function exportAudit(ctx: Context, filters: object, options?: ExportOptions): AsyncGenerator<string> {
  return exportCsv(
    names,
    (cursor) => execute(listAudit, ctx, { ...filters, limit: exportPage, cursor }),
    (rows) =>
      rows.map(presentAudit).map(({ actor, fields, ...entry }) => {
        const cells = {
          ...entry,
          actor_type: actor.type,
          actor_name: actor.name,
          actor_email: actor.email,
          key: actor.key,
          fields: fields.join(' '),
        };
        return names.map((name) => cells[name]);
      }),
    options,
  );
}
