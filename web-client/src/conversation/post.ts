import type { Conversation } from '../../../schema/conversations.ts';
import type { MessageMedia, ReplySnippet } from '../../../schema/entries.ts';
import { failureOf } from '../app/failure.ts';
import { send } from '../app/send.ts';
import { queryClient, trpc } from '../app/trpc.ts';
import { act, plainActions } from './actions.ts';
import { type Letter, post } from './outbox.ts';
import { readByReply } from './use-read.ts';
import { mergeEntries, newestAt } from './thread-data.ts';

/** Longest text beside a file. */
const captionMaximum = 1024;

interface Reply {
  text: string;
  media: readonly MessageMedia[];
  replyTo: ReplySnippet | null;
  /** Version of its draft. */
  draft: number;
}

/** Puts a reply on its way: one message for each file, the text with the first of them where it fits. */
export function postReply(
  { id }: Conversation,
  { text, media, replyTo, draft }: Reply,
  close: boolean,
): void {
  const fits = media.length > 0 && [...text].length <= captionMaximum;
  const letters: Letter[] = media.map((one, n) => ({
    text: fits && n === 0 ? text : '',
    media: one,
    replyTo: null,
  }));
  if (!fits) letters.unshift({ text, media: null, replyTo: null });
  const [first] = letters;
  if (first) {
    first.replyTo = replyTo;
    first.draft = draft;
  }
  const sent = post(id, letters);
  void sent.then(() => readByReply(id));
  if (close) void sent.then(() => act(id, plainActions.close(id)));
}

/**
 * Adds a note. When the answer is lost, the thread tells whether the note is there, so that it is not written twice.
 * @throws Failure
 */
export async function postNote(
  conversation: string,
  text: string,
  mentions: readonly { name: string; email: string }[],
  draft: number,
): Promise<void> {
  const named = mentions.filter(({ name }) => text.includes(`@${name}`)).map(({ email }) => email);
  const since = newestAt(conversation);
  try {
    const { data } = await send(trpc.drafts.addNote.mutationOptions(), {
      conversation,
      body: text,
      mentions: named,
      draft,
    });
    mergeEntries(conversation, [data]);
  } catch (error) {
    const failure = failureOf(error);
    const lost = failure.code === 'offline' || failure.code === 'server_error';
    const page = lost ? await newest(conversation).catch(() => null) : null;
    const there = page?.find((entry) => entry.kind === 'note' && entry.text === text && entry.at > since);
    if (!there) throw failure;
    mergeEntries(conversation, [there]);
  }
}

async function newest(conversation: string) {
  const query = trpc.conversations.timeline.queryOptions(
    { conversation, limit: 20 },
    { staleTime: 0, gcTime: 0 },
  );
  return (await queryClient.fetchQuery(query)).data;
}
