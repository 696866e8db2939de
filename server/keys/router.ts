import { ApiKeyBody, ApiKeyBudget, ApiKeyCreated, ApiKeyList } from '../../schema/keys.ts';
import { procedure, router } from '../platform/trpc.ts';
import { presentApiKey } from './present.ts';
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey, showApiKeyBudget } from './service.ts';

/** Keys are made in the dashboard and on the command line, never over the public API. */
export const keysRouter = router({
  list: procedure(listApiKeys, {
    output: ApiKeyList,
    present: (rows) => ({ data: rows.map(presentApiKey) }),
  }),
  create: procedure(createApiKey, {
    output: ApiKeyCreated,
    present: (row) => ({ data: { ...presentApiKey(row), key: row.key } }),
  }),
  rotate: procedure(rotateApiKey, {
    output: ApiKeyCreated,
    present: (row) => ({ data: { ...presentApiKey(row), key: row.key } }),
  }),
  budget: procedure(showApiKeyBudget, {
    output: ApiKeyBudget,
    present: ({ limit, remaining, resetSeconds }) => ({
      data: { limit, remaining, resets_in: resetSeconds },
    }),
  }),
  revoke: procedure(revokeApiKey, { output: ApiKeyBody, present: (row) => ({ data: presentApiKey(row) }) }),
});
