import type { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { authStep } from './auth.ts';

type Creation = Parameters<typeof startRegistration>[0]['optionsJSON'];
type Request = Parameters<typeof startAuthentication>[0]['optionsJSON'];

/** Whether this browser makes passkeys, for this page. @param host the one that the server's passkeys are bound to */
export function passkeysWork(host: string | null): boolean {
  return host === location.hostname && 'PublicKeyCredential' in window;
}

/** Whether somebody only turned the question of the browser away, or let it pass. */
export function wasTurnedAway(error: unknown): boolean {
  return error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name);
}

/** @throws Failure when the server refuses, what the browser throws when it does */
export async function signInWithPasskey(): Promise<void> {
  const optionsJSON = await authStep<Request & Record<string, unknown>>('/passkey/options');
  const browser = await import('@simplewebauthn/browser');
  await authStep('/passkey', { response: await browser.startAuthentication({ optionsJSON }) });
}

/** Has the browser make a passkey; `account.addPasskey` takes it. @throws as signing in */
export async function makePasskey(password: string) {
  const optionsJSON = await authStep<Creation & Record<string, unknown>>('/passkey/new', { password });
  const browser = await import('@simplewebauthn/browser');
  // Of extensions nothing is asked.
  return { ...(await browser.startRegistration({ optionsJSON })), clientExtensionResults: {} };
}
