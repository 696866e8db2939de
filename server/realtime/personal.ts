import { z } from 'zod';
import { countUnread } from '../notifications/record.ts';
import type { Announcement } from '../platform/announce.ts';
import { query } from '../platform/operation.ts';
import { follow } from './follow.ts';
import { mapStream } from '../platform/streams.ts';

/** What is told to one agent alone. */
export interface PersonalNews {
  announcement: Announcement;
  /** With news of notifications. */
  unread: number | null;
}

/** What the signed-in agent alone is told: notifications, drafts, pins and follows. There is nothing to resume. */
export const followPersonal = query(
  { access: 'any', dashboardOnly: true, input: z.object({}) },
  async (ctx) => {
    const user = ctx.principal.user?.id;
    const transient = (told: Announcement) => user !== undefined && told.user === user;
    const source = await follow(ctx, { after: undefined, families: [], transient });
    return mapStream(source, async (of): Promise<PersonalNews | undefined> => {
      if (!('announcement' in of)) return undefined;
      const { announcement } = of;
      const counted = announcement.type.startsWith('notification.');
      return { announcement, unread: counted ? await countUnread(ctx) : null };
    });
  },
);
