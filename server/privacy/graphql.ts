import { Deleted, mutationField } from '../platform/graphql-fields.ts';
import { erasePerson } from './service.ts';

mutationField('erasePerson', erasePerson, {
  type: Deleted,
  description: 'Deletes a contact and erases everything about them at once, in the dashboard only.',
});
