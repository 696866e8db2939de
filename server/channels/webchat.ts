import { z } from 'zod';
import { WebchatConfig } from '../../schema/webchat.ts';
import { invalidField } from '../platform/errors.ts';
import type { ChannelAdapter } from './adapter.ts';

const address = /^visitor:[0-9A-Za-z-]{1,64}$/;

/** The address of a visitor on a webchat channel. */
export function visitorAddress(visitorId: string): string {
  return `visitor:${visitorId}`;
}

/** The id that a message to a visitor has with its provider: ourselves. */
export function webchatProviderId(messageId: string): string {
  return `web-${messageId}`;
}

/**
 * Ourselves as provider. A message is delivered by being there: the widget is told of it through the log like anybody
 * who follows it, and says itself when it has come and when it was seen.
 */
export const webchat: ChannelAdapter = {
  kind: 'webchat',
  capabilities: { reference: true, templates: false, media: true },
  patience: 1_000,
  readConfig: (config) => WebchatConfig.parse(config),
  address: (text) => (address.test(text) ? text : null),
  // Only who has written in the widget can be written to there.
  ownAddress: null,
  refusal: (_channel, { template }) =>
    template ? invalidField('template', 'not_allowed', 'A web chat has no templates.') : null,
  isMarketing: () => false,
  rehearse: () => null,
  send: async (_app, _channel, { id }) => ({ outcome: 'accepted', providerId: webchatProviderId(id) }),
  // Visitors speak to us over GraphQL; no provider does.
  receive: (payload) => z.never().parse(payload),
};
