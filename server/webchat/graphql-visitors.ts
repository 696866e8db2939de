import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import { printSchema, lexicographicSortSchema } from 'graphql';
import { getDatamodel } from '../../prisma/generated/pothos.ts';
import type { Context } from '../platform/context.ts';
import { execute } from '../platform/operation.ts';
import { followAsVisitor, type WebchatChange } from './follow.ts';
import { markDelivered, markRead } from './marks.ts';
import type { VisitorMessage } from './messages.ts';
import { sendAsVisitor, typeAsVisitor } from './send.ts';
import { showSession, type WebchatSession } from './session.ts';

/**
 * A schema of its own: a visitor's token opens this one and no other, so nothing that the company's schema ever gains
 * can come within their reach.
 */
const builder = new SchemaBuilder<{ Context: Context; DefaultFieldNullability: false }>({
  plugins: [ComplexityPlugin],
  defaultFieldNullability: false,
  complexity: { defaultComplexity: 0 },
  // The types ask for it because the other schema has the plugin; this one reads no model.
  prisma: { client: (ctx) => ctx.app.prisma, dmmf: getDatamodel() },
});

builder.queryType({});
builder.mutationType({});
builder.subscriptionType({});

const Media = builder.objectRef<NonNullable<VisitorMessage['media']>>('WebchatMedia').implement({
  fields: (t) => ({
    url: t.exposeString('url'),
    kind: t.exposeString('kind', { description: '`image`, `video`, `audio`, `document` or `sticker`.' }),
    mimeType: t.exposeString('mimeType'),
    size: t.exposeInt('size', { description: 'Bytes.' }),
    filename: t.exposeString('filename'),
  }),
});

const Message = builder.objectRef<VisitorMessage>('WebchatMessage').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    clientId: t.exposeID('clientId', {
      nullable: true,
      description: 'As given by the visitor who sent it.',
    }),
    fromVisitor: t.exposeBoolean('fromVisitor'),
    author: t.exposeString('author', {
      nullable: true,
      description: 'Name of who answered; null for the visitor and for the company as a whole.',
    }),
    automated: t.exposeBoolean('automated', { description: 'Written by no person.' }),
    text: t.exposeString('text', { nullable: true }),
    media: t.expose('media', { type: Media, nullable: true }),
    status: t.exposeString('status', {
      description: '`received` of the visitor’s own; `sent`, `delivered`, `read` of answers.',
    }),
    at: t.string({ description: 'ISO 8601 in UTC.', resolve: ({ at }) => at.toISOString() }),
  }),
});

const Session = builder.objectRef<WebchatSession>('WebchatSession').implement({
  fields: (t) => ({
    name: t.exposeString('name', { nullable: true }),
    email: t.exposeString('email', { nullable: true }),
    messages: t.expose('messages', { type: [Message], description: 'Oldest first.' }),
    hasMore: t.exposeBoolean('hasMore', { description: 'Whether there are older ones.' }),
    unread: t.exposeInt('unread', { description: 'Answers not yet read, at most 100.' }),
    seen: t.exposeBoolean('seen', { description: 'Whether the visitor’s last message was read.' }),
    sequence: t.id({
      description: '`after` of the subscription that goes on from here.',
      resolve: ({ sequence }) => String(sequence),
    }),
  }),
});

const Typing = builder.objectRef<NonNullable<WebchatChange['typing']>>('WebchatTyping').implement({
  fields: (t) => ({
    name: t.exposeString('name', { nullable: true }),
    active: t.exposeBoolean('active', { description: 'Not told again within 10 seconds: over.' }),
  }),
});

const Change = builder.objectRef<WebchatChange>('WebchatChange').implement({
  fields: (t) => ({
    sequence: t.id({
      nullable: true,
      description: '`after` to resume from; null for what is not in the log.',
      resolve: ({ sequence }) => (sequence === null ? null : String(sequence)),
    }),
    type: t.exposeString('type', {
      description: '`message`, `seen` (by the company), `typing`, or `resync`: load the session anew.',
    }),
    message: t.expose('message', { type: Message, nullable: true }),
    typing: t.expose('typing', { type: Typing, nullable: true }),
  }),
});

const SendInput = builder.inputType('WebchatSendInput', {
  fields: (t) => ({
    clientId: t.id({
      required: true,
      description: '8 to 64 characters, new for each message: the same one again is the same message.',
    }),
    text: t.string({ required: false }),
    mediaUrl: t.string({ required: false, description: 'From `POST /webchat/{channel}/media`.' }),
  }),
});

builder.queryField('webchatSession', (t) =>
  t.field({
    type: Session,
    nullable: true,
    args: { first: t.arg.int({ required: false }), before: t.arg.id({ required: false }) },
    description: 'The visitor’s own messages and where to follow from.',
    resolve: (_root, { first, before }, ctx) => execute(showSession, ctx, given({ first, before })),
  }),
);

builder.mutationField('webchatSend', (t) =>
  t.field({
    type: Message,
    nullable: true,
    args: { input: t.arg({ type: SendInput, required: true }) },
    resolve: (_root, { input }, ctx) =>
      execute(
        sendAsVisitor,
        ctx,
        given({ client_id: input.clientId, text: input.text, media_url: input.mediaUrl }),
      ),
  }),
);

builder.mutationField('webchatTyping', (t) =>
  t.boolean({
    nullable: true,
    args: { typing: t.arg.boolean({ required: true }) },
    description: 'Tells the agents that the visitor is writing; false when there is nobody to tell.',
    resolve: (_root, args, ctx) => execute(typeAsVisitor, ctx, args),
  }),
);

builder.mutationField('webchatDelivered', (t) =>
  t.int({
    nullable: true,
    args: { message: t.arg.id({ required: true }) },
    description: 'The message and all before it have come. Returns how many are not read.',
    resolve: (_root, args, ctx) => execute(markDelivered, ctx, args),
  }),
);

builder.mutationField('webchatRead', (t) =>
  t.int({
    nullable: true,
    args: { message: t.arg.id({ required: true }) },
    description: 'The message and all before it were seen. Returns how many are not read.',
    resolve: (_root, args, ctx) => execute(markRead, ctx, args),
  }),
);

builder.subscriptionField('webchat', (t) =>
  t.field({
    type: Change,
    args: { after: t.arg.id({ required: false }) },
    description:
      'What happens in the visitor’s own thread. Resumes after a sequence without gap or repetition.',
    subscribe: (_root, { after }, ctx) => execute(followAsVisitor, ctx, given({ after })),
    resolve: (change) => change,
  }),
);

/** What is null was not given. */
function given(args: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(args).filter(([, value]) => value !== null && value !== undefined),
  );
}

export const visitorSchema = builder.toSchema();

/** The schema as text: `schema/webchat.graphql`. */
export function printVisitorSchema(): string {
  return `${printSchema(lexicographicSortSchema(visitorSchema))}\n`;
}
