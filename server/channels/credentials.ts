import type { z } from 'zod';
import type { Config } from '../platform/config.ts';
import { open, seal } from '../platform/encryption.ts';
import type { Services } from '../platform/services.ts';
import type { ChannelRef } from './adapter.ts';

type Owner = Pick<ChannelRef, 'companyId' | 'id'>;
type Sealed = Owner & Pick<ChannelRef, 'credentials'>;

/** Names the key that credentials are sealed with. */
const keyId = 'channel-credentials';

function keyOf(config: Pick<Config, 'secrets'>): Buffer {
  return config.secrets.derive(keyId);
}

/** Columns of the channel's row. */
export function sealCredentials(app: Pick<Services, 'config'>, { companyId, id }: Owner, plain: object) {
  return {
    credentials: seal(keyOf(app.config), JSON.stringify(plain), `${companyId}/${id}`),
    credentialsKeyId: keyId,
  };
}

/**
 * The credentials as they were given; nothing where there are none.
 * @throws Error when the installation's SECRET is no longer the one they were sealed with
 */
export function openCredentials(app: Pick<Services, 'config'>, channel: Sealed): Record<string, unknown> {
  if (!channel.credentials) return {};
  const text = open(keyOf(app.config), channel.credentials, `${channel.companyId}/${channel.id}`);
  return JSON.parse(text) as Record<string, unknown>;
}

/** The same, as an adapter reads them. @throws ZodError when they are not what the provider asks for */
export function credentialsOf<T>(app: Pick<Services, 'config'>, channel: Sealed, schema: z.ZodType<T>): T {
  return schema.parse(openCredentials(app, channel));
}

const shownCharacters = 4;

/** What the dashboard shows of credentials: enough to tell two apart. */
export function maskCredentials(
  app: Pick<Services, 'config'>,
  channel: Sealed,
): Record<string, string> | null {
  if (!channel.credentials) return null;
  try {
    return Object.fromEntries(
      Object.entries(openCredentials(app, channel)).map(([name, value]) => [name, mask(String(value))]),
    );
  } catch {
    // Sealed by an installation with another secret: nothing can be shown, all of it can be given anew.
    return {};
  }
}

function mask(value: string): string {
  return value.length > 3 * shownCharacters ? `••••${value.slice(-shownCharacters)}` : '••••';
}
