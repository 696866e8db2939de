import type { Log } from '../platform/log.ts';
import type { Span } from './tracing.ts';

/** From the first span to the request, and what a request may take, in milliseconds. */
const pause = 1_000;
const patience = 10_000;
/** Spans of one request, and those that wait at most; what comes while there are so many is not told. */
const batch = 512;
const kept = 4_096;

interface Target {
  url: string;
  headers: Record<string, string>;
  service: string;
}

/** Brings spans to a collector as OTLP over HTTP, in JSON. Nothing waits for it; what it refuses is lost. */
export class SpanSender {
  readonly #target: Target;
  readonly #log: Log;
  #spans: Span[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> = Promise.resolve();

  constructor(target: Target, log: Log) {
    this.#target = target;
    this.#log = log;
  }

  add(span: Span): void {
    if (this.#spans.length >= kept) return;
    this.#spans.push(span);
    this.#timer ??= setTimeout(() => this.#flush(), pause).unref();
  }

  /** Sends the rest. */
  async close(): Promise<void> {
    this.#flush();
    await this.#sending;
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const spans = this.#spans.splice(0);
    for (let at = 0; at < spans.length; at += batch) {
      const some = spans.slice(at, at + batch);
      this.#sending = this.#sending.then(() => this.#send(some));
    }
  }

  async #send(spans: readonly Span[]): Promise<void> {
    const { url, headers } = this.#target;
    try {
      const response = await fetch(`${url}/v1/traces`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify(this.#request(spans)),
        redirect: 'error',
        signal: AbortSignal.timeout(patience),
      });
      await response.body?.cancel();
      if (!response.ok)
        this.#log.warn({ status: response.status, spans: spans.length }, 'spans were refused');
    } catch (error) {
      this.#log.warn({ reason: (error as Error).message, spans: spans.length }, 'spans did not arrive');
    }
  }

  #request(spans: readonly Span[]): object {
    const resource = { attributes: attributesOf({ 'service.name': this.#target.service }) };
    const scopeSpans = [{ scope: { name: 'parlour' }, spans: spans.map(encoded) }];
    return { resourceSpans: [{ resource, scopeSpans }] };
  }
}

/** `SPAN_KIND_SERVER` and `SPAN_KIND_CLIENT`. */
const kinds = { server: 2, client: 3 };
/** `STATUS_CODE_ERROR`. */
const errorStatus = 2;

function encoded({ traceId, id, parentId, name, kind, start, end, attributes, failed }: Span): object {
  return {
    traceId,
    spanId: id,
    ...(parentId !== undefined && { parentSpanId: parentId }),
    name,
    kind: kinds[kind],
    startTimeUnixNano: `${start}000`,
    endTimeUnixNano: `${end}000`,
    attributes: attributesOf(attributes),
    status: failed ? { code: errorStatus } : {},
  };
}

function attributesOf(attributes: Span['attributes']): object[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));
}
