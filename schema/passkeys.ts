import { z } from 'zod';
import { idOut, list, pathId, single, text, timestamp } from './common.ts';

const name = text(50, 1);
/** Base64url of up to 24 kB: an attestation may carry certificates. */
const bytes = z.string().regex(/^[\w-]{0,32000}$/, 'Must be base64url.');
/** An authenticator says at most 1,023 bytes. */
const credentialId = z.string().regex(/^[\w-]{1,1364}$/, 'Must be base64url.');

const common = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional().catch(undefined),
  clientExtensionResults: z.object({}).default({}),
};

/** What `navigator.credentials.create` gave, as JSON. */
const Registration = z.object({
  ...common,
  response: z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: z.array(text(20)).max(10).default([]),
  }),
});

/** What `navigator.credentials.get` gave, as JSON. */
const Assertion = z.object({
  ...common,
  response: z.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: bytes.nullish(),
  }),
});

export const PasskeySignIn = z.object({ response: Assertion });
export type PasskeySignIn = z.infer<typeof PasskeySignIn>;

export const PasskeyAddition = z.object({ name, response: Registration });
export const PasskeyUpdate = z.object({ passkey: pathId, name });
export const PasskeyPath = z.object({ passkey: pathId });

/** A passkey of the agent who is signed in. */
export const Passkey = z
  .strictObject({ id: idOut, name: z.string(), created_at: timestamp, last_used_at: timestamp.nullable() })
  .meta({ id: 'Passkey' });
export type Passkey = z.infer<typeof Passkey>;
export const PasskeyBody = single(Passkey);
export const PasskeyList = list(Passkey);
