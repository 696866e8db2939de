import { setTimeout as wait } from 'node:timers/promises';
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Config } from '../platform/config.ts';
import type { Log } from '../platform/log.ts';

export type Target = NonNullable<Config['tracing']>;

/** How long the end waits for spans that are still to be sent, in milliseconds. */
const patience = 5_000;

/** Brings spans to a collector as OTLP over HTTP, in JSON. Nothing waits for it; what it refuses is lost. */
export class SpanExport {
  readonly provider: TracerProvider;
  readonly #log: Log;

  constructor({ url, headers, resource, sampler, batch }: Target, log: Log) {
    this.#log = log;
    const exporter = new LoggedExporter({ url: `${url}/v1/traces`, headers }, log);
    // It is not registered for the process: libraries with spans of their own would tell more than is promised.
    this.provider = new TracerProvider({
      resource: defaultResource().merge(resourceFromAttributes(resource)),
      sampler: samplerOf(sampler),
      spanProcessors: [new BatchSpanProcessor({ exporter, ...batch })],
    });
  }

  /** Sends the rest, within 5 seconds. */
  async close(): Promise<void> {
    // Refusals are logged where they happen.
    const sent = this.provider.shutdown().then(
      () => true,
      () => true,
    );
    if (!(await Promise.race([sent, wait(patience, false, { ref: false })])))
      this.#log.warn('spans were left behind');
  }
}

/** Failures go to our log: what the collector answers is not repeated, its status is. */
class LoggedExporter extends OTLPTraceExporter {
  readonly #log: Log;

  constructor(target: ConstructorParameters<typeof OTLPTraceExporter>[0], log: Log) {
    super(target);
    this.#log = log;
  }

  override export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    super.export(spans, (result) => {
      if (result.code !== ExportResultCode.SUCCESS) {
        const { message, code }: { message?: string; code?: unknown } = result.error ?? {};
        this.#log.warn({ reason: message, code, spans: spans.length }, 'spans did not arrive');
      }
      done(result);
    });
  }
}

function samplerOf({ name, ratio }: Target['sampler']): Sampler {
  const root = name.endsWith('always_off')
    ? new AlwaysOffSampler()
    : name.endsWith('traceidratio')
      ? new TraceIdRatioBasedSampler(ratio)
      : new AlwaysOnSampler();
  return name.startsWith('parentbased') ? new ParentBasedSampler({ root }) : root;
}
