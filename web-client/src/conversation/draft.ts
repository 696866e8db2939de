import type { Draft as ServerDraft } from '../../../schema/drafts.ts';
import type { MessageMedia, ReplySnippet } from '../../../schema/entries.ts';
import { failureOf } from '../app/failure.ts';
import { send } from '../app/send.ts';
import { queryClient, trpc } from '../app/trpc.ts';

export type Mode = ServerDraft['mode'];

/** What is written and not sent. */
export interface Draft {
  text: string;
  media: MessageMedia[];
  replyTo: ReplySnippet | null;
  mentions: { name: string; email: string }[];
}

export const emptyDraft: Draft = { text: '', media: [], replyTo: null, mentions: [] };

export function isEmpty({ text, media, replyTo }: Draft): boolean {
  return text === '' && media.length === 0 && replyTo === null;
}

/** What a server's draft says, with the names behind its ids. */
export async function draftOf({ text, media, reply_to, mentions }: ServerDraft): Promise<Draft> {
  const [replyTo, people] = await Promise.all([
    reply_to === null ? null : snippetOf(reply_to),
    mentions.length === 0 ? [] : agents(),
  ]);
  return {
    text,
    media,
    replyTo,
    mentions: mentions.map((email) => ({
      name: people.find((agent) => agent.email === email)?.name ?? email,
      email,
    })),
  };
}

/** Replaces the server's draft. @returns its version now @throws Failure */
export async function saveDraft(
  conversation: string,
  mode: Mode,
  version: number,
  { text, media, replyTo, mentions }: Draft,
): Promise<number> {
  const { data } = await send(trpc.drafts.save.mutationOptions(), {
    conversation,
    mode,
    version,
    text,
    media_urls: media.map(({ url }) => url),
    reply_to: replyTo?.id ?? null,
    mentions: mentions.map(({ email }) => email),
  });
  return data.version;
}

/** The server's draft as it is now. @throws Failure */
export async function loadDraft(conversation: string, mode: Mode): Promise<ServerDraft> {
  const options = trpc.drafts.get.queryOptions({ conversation, mode }, { staleTime: 0, gcTime: 0 });
  return (await queryClient.fetchQuery(options)).data;
}

/** Empties the server's draft unless it is newer than `version`. */
export function dropDraft(conversation: string, mode: Mode, version: number): void {
  void send(trpc.drafts.delete.mutationOptions(), { conversation, mode, version }).catch(() => {});
}

/** Null when the message is gone. */
async function snippetOf(message: string): Promise<ReplySnippet | null> {
  try {
    const { data } = await queryClient.fetchQuery(trpc.messages.show.queryOptions({ message }));
    const { type, name, email } = data.author;
    return { id: data.id, snippet: (data.text ?? '').slice(0, 140), author: { type, name, email } };
  } catch (error) {
    if (failureOf(error).code === 'not_found') return null;
    throw error;
  }
}

async function agents() {
  return (await queryClient.fetchQuery(trpc.agents.list.queryOptions({}))).data;
}
