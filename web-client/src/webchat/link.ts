/** A failure that the server explains. */
export class Refusal extends Error {
  readonly code: string;
  readonly param: string | null;
  /** Seconds after which to try again. */
  readonly retryAfter: number;

  constructor(code: string, message: string, param: string | null = null, retryAfter = 0) {
    super(message);
    this.code = code;
    this.param = param;
    this.retryAfter = retryAfter;
  }
}

interface Answer {
  data?: Record<string, unknown> | null;
  errors?: { message: string; extensions?: { code?: string; param?: string; retry_after?: number } }[];
}

interface Pending {
  next(answer: Answer): void;
  end(error: unknown): void;
}

/** Times in milliseconds: how often to ask whether the server is there, and how long to wait for its answer. */
const askEvery = 25_000;
const patience = 10_000;

/** One connection that speaks graphql-transport-ws: enough of it for this widget. */
export class Link {
  readonly #socket: WebSocket;
  readonly #pending = new Map<string, Pending>();
  #next = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ready = false;

  /** @param closed told once, with the code of the close */
  constructor(url: string, token: string, opened: () => void, closed: (code: number) => void) {
    const socket = new WebSocket(url, 'graphql-transport-ws');
    this.#socket = socket;
    socket.addEventListener('open', () => {
      this.#send({ type: 'connection_init', payload: { Authorization: `Bearer ${token}` } });
      this.#expect();
    });
    socket.addEventListener('message', ({ data }) => {
      this.#heard(JSON.parse(String(data)) as { id: string; type: string; payload: unknown }, opened);
    });
    socket.addEventListener('close', ({ code }) => {
      clearTimeout(this.#timer);
      const lost = new Error('connection lost');
      for (const one of this.#pending.values()) one.end(lost);
      this.#pending.clear();
      closed(code);
    });
  }

  get ready(): boolean {
    return this.#ready && this.#socket.readyState === WebSocket.OPEN;
  }

  close(): void {
    this.#socket.close(1000);
  }

  /** One query or mutation. @throws Refusal, or another error when the connection is lost */
  async ask<T>(query: string, variables: object = {}): Promise<T> {
    const answer = await new Promise<Answer>((resolve, reject) => {
      this.#start(query, variables, { next: resolve, end: reject });
    });
    const [error] = answer.errors ?? [];
    if (error) {
      const { code = 'server_error', param = null, retry_after: after = 0 } = error.extensions ?? {};
      throw new Refusal(code, error.message, param, after);
    }
    return Object.values(answer.data ?? {})[0] as T;
  }

  /** Follows a subscription for as long as the connection lasts. */
  follow<T>(query: string, variables: object, next: (item: T) => void, ended: () => void): void {
    this.#start(query, variables, {
      next: ({ data }) => {
        if (data) next(Object.values(data)[0] as T);
      },
      end: ended,
    });
  }

  #start(query: string, variables: object, pending: Pending): void {
    if (!this.ready) return pending.end(new Error('not connected'));
    const id = String(++this.#next);
    this.#pending.set(id, pending);
    this.#send({ id, type: 'subscribe', payload: { query, variables } });
  }

  #heard({ id, type, payload }: { id: string; type: string; payload: unknown }, opened: () => void): void {
    this.#rest();
    const pending = this.#pending.get(id);
    if (type === 'connection_ack') {
      this.#ready = true;
      opened();
    } else if (type === 'ping') this.#send({ type: 'pong' });
    else if (type === 'next') pending?.next(payload as Answer);
    else if (type === 'error') {
      this.#pending.delete(id);
      pending?.next({ errors: payload as NonNullable<Answer['errors']> });
      pending?.end(new Error('refused'));
    } else if (type === 'complete') {
      this.#pending.delete(id);
      pending?.end(new Error('complete'));
    }
  }

  /** After a while without a word, asks; without an answer the connection is dead, whatever the browser thinks. */
  #rest(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#send({ type: 'ping' });
      this.#expect();
    }, askEvery);
  }

  #expect(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#socket.close(4000), patience);
  }

  #send(message: object): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }
}
