import { createHmac } from 'node:crypto';
import type { Config } from '../platform/config.ts';

/** The app key of this installation: names it, opens nothing. */
export function appKey(secrets: Config['secrets']): string {
  return secrets.derive('pusher key').subarray(0, 10).toString('hex');
}

/** What lets a socket join a channel: `<app key>:<hex HMAC>` over socket, channel and member. */
export function signChannel(
  secrets: Config['secrets'],
  socketId: string,
  channel: string,
  channelData?: string,
): string {
  const signed = [socketId, channel, ...(channelData === undefined ? [] : [channelData])].join(':');
  const mac = createHmac('sha256', secrets.derive('pusher secret').toString('hex')).update(signed);
  return `${appKey(secrets)}:${mac.digest('hex')}`;
}
