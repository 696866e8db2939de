import { Deleted, single } from '../../schema/common.ts';
import { RoleBody, RoleList } from '../../schema/agents.ts';
import { procedure, router } from '../platform/trpc.ts';
import { presentRole } from './present.ts';
import { createRole, deleteRole, listRoles, updateRole } from './service.ts';

/** Roles are edited in the dashboard alone. */
export const rolesRouter = router({
  list: procedure(listRoles, { output: RoleList, present: (rows) => ({ data: rows.map(presentRole) }) }),
  create: procedure(createRole, { output: RoleBody, present: (row) => ({ data: presentRole(row) }) }),
  update: procedure(updateRole, { output: RoleBody, present: (row) => ({ data: presentRole(row) }) }),
  delete: procedure(deleteRole, {
    output: single(Deleted),
    present: ({ id }) => ({ data: { id, deleted: true } }),
  }),
});
