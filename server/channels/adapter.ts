import type { ChannelKind } from '../../schema/channels.ts';
import type { FailureCode, MessageTemplate } from '../../schema/messages.ts';
import type { AppError } from '../platform/errors.ts';
import type { Services } from '../platform/services.ts';

/** What an adapter knows of its channel. */
export interface ChannelRef {
  companyId: string;
  id: string;
  kind: string;
  name: string;
  config: unknown;
}

/** A file that goes out, as the provider fetches it. */
export type OutboundMedia = {
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
}

export interface Failure {
  code: FailureCode;
  message: string;
  /** The provider's own code. */
  providerCode: string | null;
}

/**
 * What became of a call. `later`: certainly not sent, may be tried again. A call that throws has an unknown
 * outcome.
 */
export type SendResult =
  | { outcome: 'accepted'; providerId: string }
  | { outcome: 'refused'; failure: Failure }
  | { outcome: 'later'; seconds: number };

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
  /** A file that came with it and is kept already. */
  mediaId?: string;
}

/** What a provider told us: messages, reports, or both. */
export interface Received {
  messages: InboundMessage[];
  statuses: StatusReport[];
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
  /** A call that takes longer is given up, in milliseconds. */
  patience: number;
  /** Settings as the adapter reads them. @throws ZodError for settings that it can't use */
  readConfig(config: unknown): object;
  /** An address in the one spelling that identifies a customer; null when it can't be one. */
  address(text: string): string | null;
  /** Which of a contact's own addresses is used when they have not written on this channel. */
  addressOf(contact: { phone: string | null; email: string | null }): string | null;
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
