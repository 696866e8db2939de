import type { Message } from './types.ts';

const fields = 'id clientId fromVisitor author automated text media { url kind size filename } status at';
/** What the widget asks of `schema/webchat.graphql`. */
export const documents = {
  session: `query($before: ID) { webchatSession(before: $before) { hasMore seen sequence messages { ${fields} } } }`,
  send: `mutation($input: WebchatSendInput!) { webchatSend(input: $input) { ${fields} } }`,
  typing: 'mutation($typing: Boolean!) { webchatTyping(typing: $typing) }',
  delivered: 'mutation($message: ID!) { webchatDelivered(message: $message) }',
  read: 'mutation($message: ID!) { webchatRead(message: $message) }',
  follow: `subscription($after: ID) { webchat(after: $after) { sequence type message { ${fields} } typing { name active } } }`,
};

export interface Session {
  hasMore: boolean;
  seen: boolean;
  sequence: string;
  messages: Message[];
}

export interface Change {
  sequence: string | null;
  type: 'message' | 'seen' | 'typing' | 'resync';
  message: Message | null;
  typing: { name: string | null; active: boolean } | null;
}
