import { z } from 'zod';
import { email, idOut, list, pathId, publicId, single, text, timestamp } from './common.ts';
import { type Scope, scopeNames } from './scopes.ts';

const scope = z.enum(scopeNames as [Scope, ...Scope[]]);
const name = text(191, 1);
const availability = z.enum(['online', 'away', 'offline']);

/** A named set of permissions. */
export const Role = z
  .strictObject({
    id: idOut,
    key: z
      .enum(['owner', 'admin', 'agent'])
      .nullable()
      .meta({ description: 'Null for a role that the company made.' }),
    name: z.string(),
    permissions: z.array(scope),
    agents_count: z.int(),
  })
  .meta({ id: 'Role' });
export type Role = z.infer<typeof Role>;

export const RoleCreate = z.object({ name: text(50, 1), permissions: z.array(scope).max(scopeNames.length) });
export const RoleUpdate = RoleCreate.partial().extend({ role: pathId });
export const RolePath = z.object({ role: pathId });
export const RoleBody = single(Role);
export const RoleList = list(Role);

/** Somebody of the company who signs in, or could. */
export const Agent = z
  .strictObject({
    id: idOut,
    name: z.string(),
    email: z.string(),
    role: z.strictObject({ id: idOut, key: z.string().nullable(), name: z.string() }),
    availability,
    signs_in: z.boolean().meta({ description: 'Has a login; otherwise acts through keys only.' }),
    two_factor: z.boolean(),
    avatar_url: z.string().nullable().meta({ description: 'On this server, from its root.' }),
    is_me: z.boolean(),
    deactivated_at: timestamp.nullable(),
    last_seen_at: timestamp.nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'Agent' });
export type Agent = z.infer<typeof Agent>;

export const AgentPath = z.object({ agent: pathId });
export const AgentUpdate = z.object({ agent: pathId, name: name.optional(), role: publicId.optional() });
export const AgentBody = single(Agent);
export const AgentList = list(Agent);

/** An invitation that was not accepted yet. */
export const Invitation = z
  .strictObject({
    id: idOut,
    email: z.string(),
    role: z.strictObject({ id: idOut, name: z.string() }),
    invited_by: z.string().nullable(),
    expires_at: timestamp,
    created_at: timestamp,
  })
  .meta({ id: 'Invitation' });
export type Invitation = z.infer<typeof Invitation>;

export const InvitationCreate = z.object({ email, role: publicId });
export const InvitationPath = z.object({ invitation: pathId });
export const InvitationList = list(Invitation);
export const InvitationBody = single(Invitation);
/** The only answer with the link. */
export const InvitationCreated = single(
  Invitation.extend({ link: z.string() }).meta({ id: 'InvitationCreated' }),
);

/** The agent who is signed in. */
export const Profile = z
  .strictObject({
    id: idOut,
    name: z.string(),
    email: z.string(),
    role: z.strictObject({ key: z.string().nullable(), name: z.string() }),
    scopes: z.array(z.string()),
    company: z.strictObject({ id: idOut, name: z.string(), timezone: z.string(), currency: z.string() }),
    avatar_url: z.string().nullable().meta({ description: 'On this server, from its root.' }),
    locale: z.string().nullable(),
    timezone: z.string().nullable(),
    availability,
    preferences: z.record(z.string(), z.json()),
    two_factor: z.boolean(),
    session: z
      .strictObject({ idle_seconds: z.int(), ends_in: z.int() })
      .nullable()
      .meta({ description: 'When the session ends: unused for so long, and in any case, in seconds.' }),
    livemode: z.boolean(),
  })
  .meta({ id: 'Profile' });
export type Profile = z.infer<typeof Profile>;

export const ProfileUpdate = z.object({
  name: name.optional(),
  locale: text(35).nullish(),
  timezone: text(64).nullish(),
  availability: availability.optional(),
  preferences: z
    .record(text(50, 1), z.json())
    .refine((value) => JSON.stringify(value).length <= 20_000, 'At most 20,000 characters of JSON.')
    .optional()
    .meta({ description: 'Given keys are set, others kept; null removes one.' }),
});
export const ProfileBody = single(Profile);

/** A browser that is signed in. */
export const SignedInSession = z
  .strictObject({
    id: idOut,
    current: z.boolean(),
    ip: z.string().nullable(),
    user_agent: z.string().nullable(),
    created_at: timestamp,
    last_used_at: timestamp,
  })
  .meta({ id: 'SignedInSession' });
export const SessionPath = z.object({ session: pathId });
export const SessionList = list(SignedInSession);
export const SessionsEnded = single(z.strictObject({ ended: z.int() }).meta({ id: 'SessionsEnded' }));
