import { Deleted, firstArg, listField, mutationField, takeFirst } from '../platform/graphql-fields.ts';
import { builder } from '../platform/graphql.ts';
import { createTeam, deleteTeam, listTeams, type TeamRecord, updateTeam } from './service.ts';

const TeamMember = builder.objectRef<TeamRecord['members'][number]>('TeamMember').implement({
  fields: (t) => ({
    name: t.string({ resolve: ({ user }) => user.displayName }),
    email: t.string({ resolve: ({ user }) => user.email }),
  }),
});

const Team = builder.objectRef<TeamRecord>('Team').implement({
  description: 'A group of agents that conversations can be transferred to.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    slug: t.exposeString('slug', { description: 'Accepted wherever a team id is.' }),
    members: t.field({
      type: [TeamMember],
      args: firstArg(),
      resolve: ({ members }, args) => takeFirst(members, args),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
});

listField('teams', listTeams, { type: Team, description: 'Teams in name order.' });
mutationField('createTeam', createTeam, {
  type: Team,
  input: 'TeamCreateInput',
  description: 'Creates a team.',
});
mutationField('updateTeam', updateTeam, {
  type: Team,
  input: 'TeamUpdateInput',
  description: 'Renames a team or replaces its members. A field that is absent stays as it is.',
});
mutationField('deleteTeam', deleteTeam, {
  type: Deleted,
  description: 'Deletes a team; its conversations belong to none.',
});
