interface Persistence {
  timeout?: number;
  retries?: number;
  fetch?: typeof globalThis.fetch;
}

/** The longest pause that is made for `Retry-After`, in milliseconds. */
const longest = 60_000;

/**
 * A `fetch` that gives up an attempt after a while and makes another where that is safe: every write carries an
 * Idempotency-Key, the same in each attempt. Bookings have none, so only refusals (429) of their writes are repeated.
 */
export function persistent({ timeout = 30_000, retries = 3, fetch = globalThis.fetch }: Persistence) {
  return async (original: Request): Promise<Response> => {
    const reads = original.method === 'GET' || original.method === 'HEAD';
    const keyless = /\/api\/v1\/bookings(\/|$)/.test(new URL(original.url).pathname);
    const request = original.clone();
    if (!reads && !keyless && !request.headers.has('Idempotency-Key'))
      request.headers.set('Idempotency-Key', crypto.randomUUID());
    const safe = reads || !keyless;
    for (let attempt = 0; ; attempt++) {
      const signal = AbortSignal.any([original.signal, AbortSignal.timeout(timeout)]);
      let answer: Response | undefined;
      try {
        answer = await fetch(new Request(request.clone(), { signal }));
      } catch (error) {
        if (attempt >= retries || !safe || original.signal.aborted) throw error;
      }
      if (answer && (attempt >= retries || !worthAnother(answer, safe))) return answer;
      const seconds = Number(answer?.headers.get('Retry-After') ?? 0);
      await answer?.body?.cancel();
      await pause(Math.min(seconds > 0 ? seconds * 1000 : backoff(attempt), longest), original.signal);
    }
  };
}

function worthAnother({ status, headers }: Response, safe: boolean): boolean {
  if (status === 429) return true;
  // The first request of this key is still running.
  if (status === 409) return safe && Number(headers.get('Retry-After') ?? 0) > 0;
  return safe && status >= 500;
}

/** About 0.25, 0.5, 1, 2 … seconds, never the same for all who wait. */
function backoff(attempt: number): number {
  return 250 * 2 ** attempt * (0.75 + Math.random() / 2);
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
