import type { Context, Principal } from '../platform/context.ts';
import type { Redis } from '../platform/redis.ts';
import type { Services } from '../platform/services.ts';
import type { Backlog } from './backlog.ts';
import type { Metrics } from './metrics.ts';
import type { RateLimits } from './rate-limit.ts';
import type { RequestLog } from './request-log.ts';
import type { Tracing } from './tracing.ts';

/** The services, and what serving them over HTTP adds. */
export interface App extends Services {
  limits: RateLimits;
  metrics: Metrics;
  backlog: Backlog;
  /** Null without `REDIS_URL`. */
  redis: Redis | null;
  requestLog: RequestLog;
  /** Null without `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  tracing: Tracing | null;
  /** False from the moment of shutdown: readiness says so before connections are refused. */
  ready: boolean;
  /** The context of a caller's request. */
  context(principal: Principal, requestId: string): Context;
}
