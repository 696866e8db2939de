import { Deleted, single } from '../../schema/common.ts';
import { PersonBody } from '../../schema/privacy.ts';
import { procedure, router } from '../platform/trpc.ts';
import { exportPerson } from './export.ts';
import { erasePerson } from './service.ts';

/** What a person may ask for: to see all of it, and that nothing of it is kept. For admins and the Owner. */
export const privacyRouter = router({
  export: procedure(exportPerson, { output: PersonBody, present: (person) => ({ data: person }) }),
  erase: procedure(erasePerson, {
    output: single(Deleted),
    present: ({ id }) => ({ data: { id, deleted: true } }),
  }),
});
