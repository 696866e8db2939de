import { WebchatStart } from '../../schema/webchat.ts';
import { sameSecret } from '../platform/compare.ts';
import type { Principal } from '../platform/context.ts';
import { invalid, invalidField, notFound, type Detail, AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { Services } from '../platform/services.ts';
import { validationError } from '../platform/validation.ts';
import { findWebchat, type WebchatChannel } from './channel.ts';
import {
  type Claims,
  identityHash,
  identitySecret,
  readClaims,
  sessionDays,
  signClaims,
  visitorIdOf,
} from './token.ts';

/** A session that the widget keeps. */
export interface Started {
  token: string;
  expires_at: string;
  visitor: { name: string | null; email: string | null; verified: boolean };
}

/**
 * Starts a visitor's session, or goes on with one: the same visitor, for another while. Nothing is stored; a contact
 * is made with the first message.
 * @throws AppError `not_found` without such a channel, `validation_failed`, `forbidden` for a signature that is wrong
 */
export async function startSession(app: Services, channelId: string, body: unknown): Promise<Started> {
  const channel = await findWebchat(app, channelId);
  if (!channel) throw notFound();
  const parsed = WebchatStart.safeParse(body);
  if (!parsed.success) throw validationError(parsed.error, body);
  const claims = claimsOf(app, channel, parsed.data);
  requireAsked(channel, claims);
  return {
    token: signClaims(app.config.secrets, claims),
    expires_at: new Date(claims.x * 1_000).toISOString(),
    visitor: { name: claims.n ?? null, email: claims.e ?? null, verified: claims.k ?? false },
  };
}

function claimsOf(app: Services, channel: WebchatChannel, { token, user, ...given }: WebchatStart): Claims {
  const { secrets } = app.config;
  const now = app.clock.now();
  const base = {
    c: channel.company.id,
    h: channel.id,
    x: Math.floor(now.getTime() / 1_000) + sessionDays * 86_400,
  };
  if (user) {
    const wanted = identityHash(identitySecret(secrets, channel.id, channel.config.identity_version), user);
    if (!sameSecret(user.hash.toLowerCase(), wanted))
      throw new AppError('forbidden', 'The signature of the user is wrong.');
    return {
      ...base,
      v: visitorIdOf(secrets, channel.id, user.id),
      k: true,
      ...(user.name === undefined ? {} : { n: user.name }),
      ...(user.email === undefined ? {} : { e: user.email }),
    };
  }
  const before = token === undefined ? null : readClaims(secrets, token, now);
  const known = before?.h === channel.id ? before : null;
  // Whom the page has vouched for is not renamed by whoever sits there.
  if (known?.k) return { ...known, ...base };
  const n = given.name ?? known?.n;
  const e = given.email ?? known?.e;
  return {
    ...base,
    v: known?.v ?? newId(),
    ...(n === undefined ? {} : { n }),
    ...(e === undefined ? {} : { e }),
  };
}

function requireAsked({ config }: WebchatChannel, { n, e, k }: Claims): void {
  if (k) return;
  const missing = [
    ...(config.ask_name === 'required' && n === undefined ? ['name'] : []),
    ...(config.ask_email === 'required' && e === undefined ? ['email'] : []),
  ].map((param): Detail => ({ param, code: 'required', message: 'Is asked for before the chat begins.' }));
  const [first, ...rest] = missing;
  if (first) throw invalid(first, ...rest);
}

const bearer = /^bearer +(\S+)$/i;

/** Whom the headers' token stands for on this channel; null for a token that is none, of another channel or too old. */
export async function authenticateVisitor(
  app: Services,
  channelId: string,
  headers: readonly string[] | undefined,
): Promise<Principal | null> {
  const token = headers?.length === 1 ? bearer.exec(headers[0] ?? '')?.[1] : undefined;
  const claims = token === undefined ? null : readClaims(app.config.secrets, token, app.clock.now());
  if (!claims || claims.h !== channelId) return null;
  const channel = await findWebchat(app, channelId);
  if (!channel || channel.company.id !== claims.c) return null;
  const { company } = channel;
  return {
    kind: 'visitor',
    id: `visitor:${claims.v}`,
    name: claims.n ?? 'Visitor',
    user: null,
    account: company,
    company,
    livemode: true,
    role: null,
    grants: new Set(),
    visitor: {
      id: claims.v,
      channelId,
      name: claims.n ?? null,
      email: claims.e ?? null,
      verified: claims.k ?? false,
    },
  };
}

/** @throws AppError `validation_failed` when visitors of the channel may not send files, or none of that size */
export function requireFile({ config }: WebchatChannel, size: number): void {
  if (!config.files) throw invalidField('file', 'not_allowed', 'Files can’t be sent here.');
  if (size > config.max_file_bytes)
    throw new AppError('payload_too_large', `The file is over ${config.max_file_bytes} bytes.`);
}
