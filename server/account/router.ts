import { AccountBody } from '../../schema/account.ts';
import { ProfileBody, SessionList, SessionsEnded } from '../../schema/agents.ts';
import { procedure, router } from '../platform/trpc.ts';
import { presentProfile, presentSession } from './present.ts';
import { showProfile, updateProfile } from './profile.ts';
import { showAccount } from './service.ts';
import { endSession, endSessions, listSessions } from './sessions.ts';

export const accountRouter = router({
  me: procedure(showAccount, {
    output: AccountBody,
    present: ({ company, scopes, livemode }) => ({
      data: { company: { id: company.id, name: company.name }, scopes, livemode },
    }),
    rest: {
      method: 'GET',
      path: '/me',
      tag: 'Account',
      summary: 'Show the company, scopes and mode of the key',
      legacy: 'account',
    },
  }),
  profile: procedure(showProfile, { output: ProfileBody, present: (own) => ({ data: presentProfile(own) }) }),
  updateProfile: procedure(updateProfile, {
    output: ProfileBody,
    present: (own) => ({ data: presentProfile(own) }),
  }),
  sessions: procedure(listSessions, {
    output: SessionList,
    present: (rows) => ({ data: rows.map(presentSession) }),
  }),
  endSession: procedure(endSession, { output: SessionsEnded, present: (data) => ({ data }) }),
  endSessions: procedure(endSessions, { output: SessionsEnded, present: (data) => ({ data }) }),
});
