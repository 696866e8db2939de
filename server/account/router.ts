import { AccountBody } from '../../schema/account.ts';
import { procedure, router } from '../platform/trpc.ts';
import { showAccount } from './service.ts';

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
});
