import type { Config } from '../platform/config.ts';
import { open, seal } from '../platform/encryption.ts';

interface SecretRow {
  companyId: string;
  id: string;
  secret: Uint8Array;
}

/** The key that signing secrets are encrypted with. */
export function secretsKey(config: Pick<Config, 'secrets'>): Buffer {
  return config.secrets.derive('webhook-secrets');
}

export function sealSecret(key: Buffer, { companyId, id }: Omit<SecretRow, 'secret'>, plain: string) {
  return seal(key, plain, `${companyId}/${id}`);
}

/** @throws Error when the installation's SECRET is no longer the one it was encrypted with */
export function openSecret(key: Buffer, { companyId, id, secret }: SecretRow): string {
  return open(key, secret, `${companyId}/${id}`);
}
