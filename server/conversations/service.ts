import { z } from 'zod';
import { query } from '../platform/operation.ts';
import { conversationPath } from './action.ts';
import { conversationTargets, requireConversation } from './record.ts';

export const showConversation = query(
  { access: 'inbox.access', input: z.object(conversationPath), targets: conversationTargets },
  (ctx, { conversation }) => requireConversation(ctx, conversation),
);
