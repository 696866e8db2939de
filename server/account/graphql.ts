import type { Company as CompanyRow } from '../../prisma/generated/client/client.ts';
import type { Opening } from '../../schema/company.ts';
import type { z } from 'zod';
import { listField, mutationField, queryField } from '../platform/graphql-fields.ts';
import { builder } from '../platform/graphql.ts';
import { type AgentRow, listAgents, setAvailability, setCapacity } from './availability.ts';
import { hoursOf } from './business-hours.ts';
import { showCompany, updateCompany } from './company.ts';
import { presentOpening } from './present-company.ts';
import { showAccount } from './service.ts';

interface Company {
  id: string;
  name: string;
}

const Company = builder.objectRef<Company>('Company').implement({
  fields: (t) => ({ id: t.exposeID('id'), name: t.exposeString('name') }),
});

interface Account {
  company: Company;
  scopes: string[];
  livemode: boolean;
}

const Account = builder.objectRef<Account>('Account').implement({
  description: 'Who the key acts for.',
  fields: (t) => ({
    company: t.field({ type: Company, resolve: ({ company }) => company }),
    scopes: t.exposeStringList('scopes', { description: 'Sorted by name.' }),
    livemode: t.exposeBoolean('livemode'),
  }),
});

queryField('me', showAccount, { type: Account, description: 'The company, scopes and mode of the key.' });

const moment = (text: string | null) => (text === null ? null : new Date(text));

const OpeningType = builder.objectRef<z.infer<typeof Opening>>('Opening').implement({
  description: 'Whether the company is open, and when that changes.',
  fields: (t) => ({
    open: t.exposeBoolean('open'),
    opensAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it opens next; null while it is open.',
      resolve: ({ opens_at: at }) => moment(at),
    }),
    closesAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it closes next; null while it is closed.',
      resolve: ({ closes_at: at }) => moment(at),
    }),
  }),
});

const CompanySettings = builder.objectRef<CompanyRow>('CompanySettings').implement({
  description: 'The settings of the company, in the dashboard only.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    timezone: t.exposeString('timezone'),
    currency: t.exposeString('currency', { description: 'Default of new products and orders.' }),
    locale: t.exposeString('locale'),
    undoSendSeconds: t.exposeInt('undoSendSeconds'),
    businessHours: t.field({
      type: 'JSON',
      nullable: true,
      description: 'Hours by weekday, and holidays; null: always open.',
      resolve: ({ businessHours }) => hoursOf(businessHours),
    }),
    opening: t.field({
      type: OpeningType,
      resolve: (row, _args, ctx) => presentOpening(row, ctx.now()),
    }),
    awayMessage: t.exposeString('awayMessage', { nullable: true }),
    autoAssign: t.exposeBoolean('autoAssign'),
    ratingRequest: t.exposeBoolean('ratingRequest'),
    ratingMessage: t.exposeString('ratingMessage', { nullable: true }),
    autoCloseDays: t.exposeInt('autoCloseDays', { nullable: true }),
    retentionDays: t.exposeInt('retentionDays', {
      nullable: true,
      description: 'What was written, and what was told of it, is kept for so many days; null: for ever.',
    }),
    version: t.exposeInt('version', { description: 'Grows with every change.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
});

queryField('company', showCompany, { type: CompanySettings, description: 'The settings of the company.' });
mutationField('updateCompany', updateCompany, {
  type: CompanySettings,
  input: 'CompanyUpdateInput',
  description: 'Changes settings. A field that is absent stays as it is; a stale version is refused.',
});

const Agent = builder.objectRef<AgentRow>('Agent').implement({
  description: 'Somebody who works in the company.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    email: t.exposeString('email'),
    role: t.exposeString('role', { description: 'Name of the role.' }),
    availability: t.exposeString('availability', { description: 'online, away or offline.' }),
    capacity: t.exposeInt('capacity', {
      nullable: true,
      description: 'Open conversations auto-assignment may give; null: no limit.',
    }),
    openConversations: t.exposeInt('openConversations'),
  }),
});

listField('agents', listAgents, { type: Agent, description: 'Active agents in name order.' });
mutationField('setAvailability', setAvailability, {
  type: Agent,
  input: 'AvailabilityInput',
  description: 'Says whether the acting agent may be given conversations.',
});
mutationField('setAgentCapacity', setCapacity, {
  type: Agent,
  input: 'CapacityInput',
  description: 'Sets how many open conversations auto-assignment may give to an agent.',
});
