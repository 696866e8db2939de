import { assistant } from '../../server/ai/assistant.ts';
import { lockConversation } from '../../server/conversations/thread.ts';
import { postMessage } from '../../server/messages/post.ts';
import type { Services } from '../../server/platform/services.ts';
import { systemContext } from '../../server/platform/system-context.ts';
import { inTenant } from '../../server/platform/tenancy.ts';
import { inUnitOfWork } from '../../server/platform/unit-of-work.ts';

/** AI says something. @param hold seconds that it waits @returns the message's id */
export async function aiSays(
  app: Services,
  companyId: string,
  conversation: string,
  text: string,
  hold = 0,
): Promise<string> {
  const ctx = await systemContext(app, companyId);
  return inTenant(companyId, () =>
    inUnitOfWork(ctx, async (work) => {
      const record = await lockConversation(work, conversation);
      const content = {
        type: 'text' as const,
        text,
        mediaId: null,
        template: null,
        productId: null,
        orderId: null,
      };
      const message = await postMessage(work, record, {
        content,
        author: assistant,
        hold: { seconds: hold, origin: 'ai' },
      });
      return message.id;
    }),
  );
}
