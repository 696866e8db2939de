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
    last_used_agent: z.string().nullable().meta({ description: 'What the program calls itself.' }),
    created_at: timestamp,
    created_by: z.string().nullable().meta({ description: 'Name of the agent; null on the command line.' }),
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

/** Hours for which the old key goes on beside the new one. */
export const rotationOverlaps = [0, 24, 168] as const;

export const ApiKeyRotate = z.object({
  key: pathId,
  overlap_hours: z.union(rotationOverlaps.map((hours) => z.literal(hours))),
});

/** What is left of the minute, without counting. */
export const ApiKeyBudget = single(
  z
    .strictObject({
      limit: z.int().meta({ description: 'Requests a minute.' }),
      remaining: z.int(),
      resets_in: z.int().meta({ description: 'Seconds until it is whole again.' }),
    })
    .meta({ id: 'ApiKeyBudget' }),
);

export const ApiKeyList = list(ApiKey);
export const ApiKeyBody = single(ApiKey);
/** The only answer that ever holds the whole key. */
export const ApiKeyCreated = single(ApiKey.extend({ key: z.string() }).meta({ id: 'ApiKeyCreated' }));
