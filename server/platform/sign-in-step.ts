import type { z } from 'zod';
import type { Principal } from './context.ts';

/** What a step is told of the request. */
export interface SignInCall {
  /** Cookie and User-Agent as they came, and the client's address; nothing else of the request. */
  headers: Headers;
  /** The caller, where the step asks for a session. */
  principal: Principal | null;
  requestId: string;
}

/** What a step answers with. */
export interface SignInAnswer {
  data: unknown;
  /** `Set-Cookie` headers. */
  cookies?: readonly string[];
}

/** One thing that can be done on the way into the dashboard: a POST of JSON under `/auth`. */
export interface SignInStep<I extends z.ZodObject = z.ZodObject> {
  path: `/${string}`;
  input: I;
  /** Only with a session. */
  session?: true;
  /**
   * Whose secret is guessed at, in any spelling, or null where the secret itself is all we know. Tries are counted for
   * this and for the address; those that fail stay counted, and every one does where `forgiving` is false.
   */
  guesses?(input: z.output<I>, principal: Principal | null): string | null;
  forgiving?: false;
  run(call: SignInCall, input: z.output<I>): Promise<SignInAnswer>;
}

export function signInStep<I extends z.ZodObject>(step: SignInStep<I>): SignInStep {
  return step;
}
