import { z } from 'zod';
import {
  BroadcastingAuth,
  type BroadcastingAuthAnswer,
  type RealtimeSettings,
} from '../../schema/realtime.ts';
import { conversationExists } from '../conversations/record.ts';
import { announceAt } from '../platform/announce.ts';
import type { Principal } from '../platform/context.ts';
import { forbidden } from '../platform/errors.ts';
import { query } from '../platform/operation.ts';
import { mayHear, ownChannels, parseChannel } from './channels.ts';
import { appKey, signChannel } from './signature.ts';

/** Seconds of silence after which either side asks whether the other is there. */
export const activityTimeout = 30;

/** Who authorised a socket for a channel; told to the process that has the socket. */
export interface Grant {
  socket: string;
  channel: string;
  /** Who signed: a key, or an agent in the dashboard. */
  by: Principal['kind'];
  key: string | null;
  /** The session, where an agent signed. */
  session: string | null;
  company: string;
  user: string | null;
}

/**
 * Signs that a socket may join a channel. Denied, unknown and foreign channels are the same 403.
 * A signature alone opens nothing: the process of the socket is told who asked, and closes it when they lose access.
 */
export const authorizeChannel = query(
  { access: 'any', input: BroadcastingAuth },
  async (ctx, { socket_id: socket, channel_name: name }): Promise<BroadcastingAuthAnswer> => {
    const { principal } = ctx;
    const channel = parseChannel(name);
    if (!channel || !mayHear(principal, channel)) throw forbidden();
    if (channel.kind === 'conversation' && !(await conversationExists(ctx, channel.id))) throw forbidden();
    const { user } = principal;
    const grant: Grant = {
      socket,
      channel: name,
      by: principal.kind,
      key: principal.id,
      session: principal.session ?? null,
      company: ctx.companyId,
      user: user?.id ?? null,
    };
    await announceAt(ctx.app.pool, ctx.companyId, ctx.now(), {
      type: 'socket.granted',
      object: { ...grant },
    });
    if (channel.kind !== 'conversation' || !user)
      return { auth: signChannel(ctx.app.config.secrets, socket, name) };
    const info = { name: user.name, email: user.email };
    const channelData = JSON.stringify({ user_id: user.id, user_info: info });
    return {
      auth: signChannel(ctx.app.config.secrets, socket, name, channelData),
      channel_data: channelData,
    };
  },
);

/** What a Pusher client is configured with. */
export const showRealtimeSettings = query(
  { access: 'any', input: z.object({}) },
  async ({ app, principal }): Promise<RealtimeSettings> => {
    const key = appKey(app.config.secrets);
    return {
      key,
      path: `/app/${key}`,
      auth_endpoint: '/api/v1/broadcasting/auth',
      activity_timeout: activityTimeout,
      channels: ownChannels(principal),
    };
  },
);
