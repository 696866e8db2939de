import { InvitationBody, InvitationCreated, InvitationList } from '../../schema/agents.ts';
import { procedure, router } from '../platform/trpc.ts';
import { presentInvitation } from './present.ts';
import { createInvitation, listInvitations, revokeInvitation } from './service.ts';

/** Invitations are made in the dashboard alone. */
export const invitationsRouter = router({
  list: procedure(listInvitations, {
    output: InvitationList,
    present: (rows) => ({ data: rows.map(presentInvitation) }),
  }),
  create: procedure(createInvitation, {
    output: InvitationCreated,
    present: (row) => ({ data: { ...presentInvitation(row), link: row.link } }),
  }),
  revoke: procedure(revokeInvitation, {
    output: InvitationBody,
    present: (row) => ({ data: presentInvitation(row) }),
  }),
});
