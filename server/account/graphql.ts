import { queryField } from '../platform/graphql-fields.ts';
import { builder } from '../platform/graphql.ts';
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
