import type { z } from 'zod';
import type { Prisma } from '../../prisma/generated/client/client.ts';
import type { ChannelKind } from '../../schema/channels.ts';
import type { AuthorType } from '../../schema/entries.ts';
import type { FailureCode, MessageTemplate } from '../../schema/messages.ts';
import type { AppError } from '../platform/errors.ts';
import type { Services } from '../platform/services.ts';
import type { Upload } from '../platform/upload.ts';

/** What an adapter knows of its channel. */
export interface ChannelRef {
  companyId: string;
  id: string;
  kind: string;
  name: string;
  config: unknown;
  /** What the provider has approved, as last read; each adapter in its own shape. */
  templates: unknown;
  /** Sealed; `credentialsOf` opens them. */
  credentials: Uint8Array | null;
}

/** A file that goes out, as the provider fetches it. */
export type OutboundMedia = {
  id: string;
  url: string;
  kind: string;
  mimeType: string;
  filename: string;
};

/** One message for one customer, ready for any provider: cards are text and picture already. */
export interface OutboundMessage {
  /** Our id; given to the provider as its reference, so that a repeated call is no second message. */
  id: string;
  /** The customer's address on this channel. */
  to: string;
  type: string;
  text: string | null;
  media: OutboundMedia | null;
  template: MessageTemplate | null;
  /** Ours; for providers with cards of their own. */
  product: string | null;
  order: string | null;
  /** Provider's id of the message that is answered. */
  replyTo: string | null;
  conversationId: string;
  authorType: AuthorType;
  /** Which call for this message it is, from 1. */
  attempt: number;
}

export interface Failure {
  code: FailureCode;
  message: string;
  /** The provider's own code. */
  providerCode: string | null;
}

/**
 * What became of a call. `later`: certainly not sent, may be tried again, after `seconds` if the provider named them;
 * `failure` is why, should it stay so. A call that throws has an unknown outcome.
 */
export type SendResult =
  | { outcome: 'accepted'; providerId: string }
  | { outcome: 'refused'; failure: Failure }
  | { outcome: 'later'; seconds?: number | null; failure?: Failure | null };

/** A provider's word on a message that it accepted. */
export interface StatusReport {
  providerId: string;
  /** Our id, where the provider passes it back. */
  reference: string | null;
  status: 'sent' | 'delivered' | 'read' | 'failed';
  at: Date;
  failure: Failure | null;
}

/** A customer's message as a provider brought it. */
export interface InboundMessage {
  /** Unique per channel: the same one again is no second message. */
  providerId: string;
  from: string;
  name: string | null;
  text: string;
  /** Provider's id of the message that it answers. */
  replyTo: string | null;
  /** A file that is to be fetched from the provider; `text` is its caption then. */
  media?: InboundMedia | null;
  /** A file that came with it and is kept already. */
  mediaId?: string;
  /** Written by a machine, such as an out-of-office note: nothing answers it by itself. */
  automatic?: boolean;
  /** Provider's ids of messages in the thread that it belongs to, nearest first. */
  thread?: readonly string[];
  /** What else the provider said of it; kept with the message. */
  extra?: Prisma.InputJsonObject;
}

/** A file that came in, as the provider names it. */
export interface InboundMedia {
  reference: string;
  /** As the provider declares it, in lower case, without parameters. */
  mimeType: string;
  filename: string | null;
  sticker?: boolean;
}

/** What a provider told us: messages, reports, or both. */
export interface Received {
  messages: InboundMessage[];
  statuses: StatusReport[];
  /** What is wrong with items that could not be read, for the log: no word of a customer's. */
  unread?: string[];
}

/** A call to a channel's webhook, as it came. */
export interface WebhookCall {
  method: 'GET' | 'POST';
  query: URLSearchParams;
  header(name: string): string | undefined;
  /** @throws AppError `payload_too_large` over 1 MiB */
  body(): Promise<Buffer>;
  /** The body in a temporary file, to be discarded. @throws AppError `payload_too_large` over the limit of media */
  file(): Promise<Upload>;
}

/**
 * What a call to a webhook comes to: what it tells, a letter that was put into the store, or the text that proves to
 * the provider that the address is ours.
 */
export type WebhookTold = { payload: object } | { letter: StoredLetter } | { challenge: string };

/** An e-mail as it came, in the store. */
export interface StoredLetter {
  key: string;
  /** Bytes. */
  size: number;
  /** In hexadecimal. */
  sha256: string;
}

/** Settings and credentials in the open, as they are checked before they are kept. */
export interface Setup {
  config: object;
  credentials: object;
}

/** One kind of channel. Real providers and the simulator go through the same jobs and the same code around it. */
export interface ChannelAdapter {
  kind: ChannelKind;
  capabilities: {
    /** The provider takes a repeated call with the same reference as the same message. */
    reference: boolean;
    templates: boolean;
    media: boolean;
  };
  /** A call that takes longer is aborted, in milliseconds; then it may say within a second what it knows. */
  patience: number;
  /** Settings as the adapter reads them. @throws ZodError for settings that it can't use */
  readConfig(config: unknown): object;
  /** What the provider asks for; missing where it asks for nothing. */
  credentials?: z.ZodObject;
  /** Asks the provider whether it lets us in. @throws AppError `validation_failed` that names what is wrong */
  check?(app: Services, setup: Setup, signal: AbortSignal): Promise<void>;
  /**
   * Answers a call to the channel's webhook, once it is known to be the provider's.
   * @throws AppError `forbidden` for anybody else's
   */
  webhook?(app: Services, channel: ChannelRef, call: WebhookCall): Promise<WebhookTold>;
  /**
   * Brings a file that came in. `null`: the provider has it no more.
   * @throws Error when it may be had later
   */
  fetchMedia?(
    app: Services,
    channel: ChannelRef,
    media: InboundMedia,
    signal: AbortSignal,
  ): Promise<ReadableStream<Uint8Array> | null>;
  /** An address in the one spelling that identifies a customer; null when it can't be one. */
  address(text: string): string | null;
  /** What of a contact's own is the address when they have not written on this channel. */
  ownAddress: 'phone' | 'email' | null;
  /** Why a message would be refused, known before it leaves. */
  refusal(channel: ChannelRef, message: Pick<OutboundMessage, 'to' | 'template'>): AppError | null;
  /** Whether a template may only go to those who are subscribed. */
  isMarketing(channel: ChannelRef, template: MessageTemplate): boolean;
  /** What a test key's message comes to at once, where that is not waiting. */
  rehearse(message: Pick<OutboundMessage, 'to'>): Failure | null;
  send(
    app: Services,
    channel: ChannelRef,
    message: OutboundMessage,
    signal: AbortSignal,
  ): Promise<SendResult>;
  /** Reads what came in. @throws ZodError for a payload that is not the provider's */
  receive(payload: unknown): Received;
}
