import { z } from 'zod';
import { email, idOut, list, moment, pathId, single, text, timestamp } from './common.ts';
import { type Grant, grantNames } from './scopes.ts';

const grant = z.enum(grantNames as [Grant, ...Grant[]]);

/** An API key as the dashboard lists it. The secret is never shown again. */
export const ApiKey = z
  .strictObject({
    id: idOut,
    name: z.string(),
    mode: z.enum(['live', 'test']),
    scopes: z.array(grant),
    hint: z.string().meta({ description: 'Beginning and end of the key.' }),
    user: z
      .strictObject({ name: z.string(), email: z.string() })
      .meta({ description: 'Agent the key acts as.' }),
    expires_at: timestamp.nullable(),
    revoked_at: timestamp.nullable(),
    last_used_at: timestamp.nullable(),
    last_used_ip: z.string().nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.infer<typeof ApiKey>;

/** What the creator chooses. Only scopes that both the creator and the key's user hold can be granted. */
export const ApiKeyCreate = z.object({
  name: text(191, 1),
  mode: z.enum(['live', 'test']),
  scopes: z.array(grant).min(1).max(grantNames.length),
  user: email.optional().meta({ description: 'Agent the key acts as; the creator unless given.' }),
  expires_at: moment.nullish(),
});

export const ApiKeyPath = z.object({ key: pathId });

export const ApiKeyList = list(ApiKey);
export const ApiKeyBody = single(ApiKey);
/** The only answer that ever holds the whole key. */
export const ApiKeyCreated = single(ApiKey.extend({ key: z.string() }).meta({ id: 'ApiKeyCreated' }));
