import { AuditPage } from '../../schema/audit.ts';
import { presentPage } from '../platform/present.ts';
import { procedure, router } from '../platform/trpc.ts';
import { presentAudit } from './present.ts';
import { listAudit } from './service.ts';

/** What people and keys have changed; for admins and the Owner. */
export const auditRouter = router({
  list: procedure(listAudit, { output: AuditPage, present: presentPage(presentAudit) }),
});
