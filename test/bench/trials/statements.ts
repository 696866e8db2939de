import { bulkTagContacts } from '../../../server/contacts/bulk-tag.ts';
import { bulkConversations } from '../../../server/conversations/bulk.ts';
import { execute } from '../../../server/platform/operation.ts';
import { systemContext } from '../../../server/platform/system-context.ts';
import { recordTransaction } from '../../support/queries.ts';
import { inHouse } from '../house.ts';
import { readSamples } from '../samples.ts';
import type { Trial } from '../trial.ts';

/** How many statements the bulk operations take, whatever they hold, beside BEGIN and COMMIT. */
export const statements: Trial = {
  name: 'statements',
  async run(place) {
    const { contacts, conversations, tags } = await readSamples(place);
    return inHouse({ databaseUrl: place.url, dataDir: place.folder }, async (app) => {
      const ctx = await systemContext(app, place.company);
      const tagging = await recordTransaction(app, () =>
        execute(bulkTagContacts, ctx, {
          contact_ids: contacts.slice(0, 500),
          tag: tags[0] ?? '',
          action: 'add',
        }),
      );
      const closing = await recordTransaction(app, () =>
        execute(bulkConversations, ctx, { conversation_ids: conversations.slice(0, 200), action: 'close' }),
      );
      return [
        { name: 'bulk-tag of 500, statements', value: tagging.length, unit: '', goal: { most: 5 } },
        { name: 'bulk close of 200, statements', value: closing.length, unit: '', goal: { most: 5 } },
      ];
    });
  },
};
