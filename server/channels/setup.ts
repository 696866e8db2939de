import { z } from 'zod';
import { AppError, invalidField } from '../platform/errors.ts';
import type { Services } from '../platform/services.ts';
import type { Setup } from './adapter.ts';
import { adapterFor } from './registry.ts';

/** A provider that takes longer to let us in is not there, in milliseconds. */
const patience = 15_000;

type Given = {
  config?: Record<string, unknown> | undefined;
  credentials?: Record<string, unknown> | undefined;
};

/** Credentials that were given among the settings are taken out of them: settings are kept and shown in the open. */
export function separate(kind: string, { config, credentials }: Given): Given {
  const secret = Object.keys(adapterFor(kind)?.credentials?.shape ?? {});
  const misplaced = Object.entries(config ?? {}).filter(([name]) => secret.includes(name));
  if (misplaced.length === 0) return { config, credentials };
  return {
    config: Object.fromEntries(Object.entries(config ?? {}).filter(([name]) => !secret.includes(name))),
    credentials: { ...Object.fromEntries(misplaced), ...credentials },
  };
}

/**
 * Settings and credentials as their adapter reads them.
 * @throws AppError `validation_failed` that names the first that it can't use
 */
export function readSetup(kind: string, given: { config: unknown; credentials: unknown }): Setup {
  const adapter = adapterFor(kind);
  return {
    config: read('config', kind, () => adapter?.readConfig(given.config) ?? {}),
    credentials: read('credentials', kind, () => adapter?.credentials?.parse(given.credentials) ?? {}),
  };
}

function read(part: 'config' | 'credentials', kind: string, parse: () => object): object {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof z.core.$ZodError)) throw error;
    const [first] = error.issues;
    const path = [part, ...(first?.path ?? [])].map(String).join('.');
    const missing = first?.code === 'invalid_type' && first.input === undefined;
    throw invalidField(
      path,
      missing ? 'required' : 'format',
      missing
        ? 'Is required.'
        : `Is no ${part === 'config' ? 'setting' : 'credential'} of a ${kind} channel.`,
    );
  }
}

/** Asks the provider whether it lets us in. @throws AppError `validation_failed` when it does not, or is not there */
export async function checkSetup(app: Services, kind: string, setup: Setup): Promise<void> {
  const adapter = adapterFor(kind);
  if (!adapter?.check) return;
  try {
    await adapter.check(app, setup, AbortSignal.timeout(patience));
  } catch (error) {
    if (error instanceof AppError) throw error;
    app.log.warn({ err: error, channel: kind }, 'provider not reached');
    throw invalidField('credentials', 'channel_unavailable', 'The provider could not be reached.');
  }
}
