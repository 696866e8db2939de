import { TeamBody, TeamDeleted, TeamList } from '../../schema/teams.ts';
import { procedure, router } from '../platform/trpc.ts';
import { presentTeam } from './present.ts';
import { createTeam, deleteTeam, listTeams, updateTeam } from './service.ts';

/** Teams are kept in the dashboard; the public API only names them. */
export const teamsRouter = router({
  list: procedure(listTeams, {
    output: TeamList,
    present: (rows) => ({ data: rows.map(presentTeam) }),
  }),
  create: procedure(createTeam, { output: TeamBody, present: (row) => ({ data: presentTeam(row) }) }),
  update: procedure(updateTeam, { output: TeamBody, present: (row) => ({ data: presentTeam(row) }) }),
  delete: procedure(deleteTeam, {
    output: TeamDeleted,
    present: ({ id }) => ({ data: { id, deleted: true } }),
  }),
});
