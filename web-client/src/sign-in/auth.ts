import type { SignInState } from '../../../schema/sign-in.ts';
import { Failure, failureIn } from '../app/failure.ts';

/** A step of `/auth`. @throws Failure */
export async function authStep<T = Record<string, unknown>>(path: string, body: object = {}): Promise<T> {
  return read<T>(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** What the sign-in page offers. @throws Failure */
export function signInState(): Promise<SignInState> {
  return read<SignInState>('/state', {});
}

async function read<T>(path: string, init: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`/auth${path}`, init);
  } catch {
    throw new Failure(null);
  }
  if (!response.ok) throw await failureIn(response);
  return ((await response.json()) as { data: T }).data;
}

/** Where to go once signed in: a place of ours that the address names, or the start. */
export function returnPath(): string {
  const wanted = new URLSearchParams(location.search).get('return') ?? '/';
  const target = URL.canParse(wanted, location.origin) ? new URL(wanted, location.origin) : null;
  return target?.origin === location.origin && wanted.startsWith('/')
    ? `${target.pathname}${target.search}${target.hash}`
    : '/';
}
