import { RequestPage } from '../../schema/requests.ts';
import { presentPage } from '../platform/present.ts';
import { procedure, router } from '../platform/trpc.ts';
import { presentRequest } from './present.ts';
import { listRequests } from './service.ts';

/** What was asked of the API; for admins and the Owner. */
export const requestsRouter = router({
  list: procedure(listRequests, { output: RequestPage, present: presentPage(presentRequest) }),
});
