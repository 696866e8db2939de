import type { Mode } from '../app/mode.ts';
import { queryClient, trpc } from '../app/trpc.ts';
import { changeRows } from './list-cache.ts';
import { socket } from './socket.ts';
import { playNews } from './sounds.ts';
import { recount } from './view-counts.ts';

const subscription = 'subscription { personal { type conversation object } }';

/** After the server has ended or refused the subscription, in milliseconds. */
const pause = 5_000;

interface News {
  type: string;
  conversation: string | null;
  object: Record<string, unknown>;
}

/** Hears what this agent alone is told: pins and follows made elsewhere, drafts, notifications. @returns what ends it */
export function followPersonal(mode: Mode): () => void {
  let over = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let leave = () => {};
  const again = () => {
    if (!over) timer = setTimeout(start, pause);
  };
  const start = () => {
    leave = socket(mode).subscribe<{ personal: News }>(
      { query: subscription },
      {
        next: ({ data }) => {
          if (data && !over) hear(data.personal);
        },
        error: again,
        complete: again,
      },
    );
  };
  start();
  return () => {
    over = true;
    clearTimeout(timer);
    leave();
  };
}

const flags: Readonly<Record<string, { pinned: boolean } | { followed: boolean }>> = {
  'conversation.pinned': { pinned: true },
  'conversation.unpinned': { pinned: false },
  'conversation.followed': { followed: true },
  'conversation.unfollowed': { followed: false },
};

function hear({ type, conversation, object }: News): void {
  const flag = flags[type];
  if (flag && conversation !== null) {
    changeRows(conversation, (row) => ({ ...row, ...flag }));
    recount();
  } else if (type === 'draft.updated') {
    void queryClient.invalidateQueries(trpc.drafts.list.queryFilter());
  } else if (type === 'notification.created') {
    playNews(String(object['kind']));
  }
}
