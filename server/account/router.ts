import { AccountBody } from '../../schema/account.ts';
import { ProfileBody, SessionList, SessionsEnded } from '../../schema/agents.ts';
import { AgentBody, AgentList } from '../../schema/availability.ts';
import { CompanyBody } from '../../schema/company.ts';
import { PasskeyBody, PasskeyList } from '../../schema/passkeys.ts';
import type { Company as CompanyRow } from '../../prisma/generated/client/client.ts';
import type { Context } from '../platform/context.ts';
import { procedure, router } from '../platform/trpc.ts';
import { type AgentRow, listAgents, setAvailability, setCapacity } from './availability.ts';
import { showCompany, updateCompany } from './company.ts';
import { presentAgent, presentCompany } from './present-company.ts';
import { addPasskey, listPasskeys, removePasskey, renamePasskey } from './passkeys.ts';
import { presentPasskey, presentProfile, presentSession } from './present.ts';
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
      description: 'Any valid key may ask, whatever its scopes.',
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
  passkeys: procedure(listPasskeys, {
    output: PasskeyList,
    present: (rows) => ({ data: rows.map(presentPasskey) }),
  }),
  addPasskey: procedure(addPasskey, {
    output: PasskeyBody,
    present: (row) => ({ data: presentPasskey(row) }),
  }),
  renamePasskey: procedure(renamePasskey, {
    output: PasskeyBody,
    present: (row) => ({ data: presentPasskey(row) }),
  }),
  removePasskey: procedure(removePasskey, {
    output: PasskeyList,
    present: (rows) => ({ data: rows.map(presentPasskey) }),
  }),
});

const company = (row: CompanyRow, ctx: Context) => ({ data: presentCompany(row, ctx.now()) });
const agent = (row: AgentRow) => ({ data: presentAgent(row) });

/** Settings are kept in the dashboard, never over the public API. */
export const companyRouter = router({
  show: procedure(showCompany, { output: CompanyBody, present: company }),
  update: procedure(updateCompany, { output: CompanyBody, present: company }),
});

/** Who works here and how much they may be given; the public API only names agents. */
export const availabilityRouter = router({
  list: procedure(listAgents, { output: AgentList, present: (rows) => ({ data: rows.map(presentAgent) }) }),
  setAvailability: procedure(setAvailability, { output: AgentBody, present: agent }),
  setCapacity: procedure(setCapacity, { output: AgentBody, present: agent }),
});
