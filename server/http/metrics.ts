import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Backlog } from './backlog.ts';
import type { HttpRequest, HttpResponse } from './exchange.ts';
import type { PatientPool } from '../platform/pool.ts';
import type { Redis } from '../platform/redis.ts';

/** Rate, errors and duration of each route, and the state of the process, in Prometheus' text format. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests: Histogram;
  readonly #fallbacks: Counter;
  readonly #refusals: Counter;
  readonly #losses: Counter;

  constructor(pool: PatientPool) {
    collectDefaultMetrics({ register: this.#registry });
    this.#requests = new Histogram({
      name: 'parlour_http_request_duration_seconds',
      help: 'Duration of requests by surface, route, method and status.',
      labelNames: ['surface', 'route', 'method', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers: [this.#registry],
    });
    this.#fallbacks = new Counter({
      name: 'parlour_rate_limit_fallbacks_total',
      help: 'Requests counted by this process alone because the shared budget store failed.',
      registers: [this.#registry],
    });
    this.#refusals = new Counter({
      name: 'parlour_admission_refused_total',
      help: 'Requests answered 500 at once because the database was overloaded or did not answer.',
      registers: [this.#registry],
    });
    this.#losses = new Counter({
      name: 'parlour_database_connections_lost_total',
      help: 'Database connections that broke while nobody used them.',
      registers: [this.#registry],
    });
    pool.on('error', () => this.connectionLost());
    this.#gauge('parlour_database_hangs', 'Whether the database does not answer: 1 or 0.', () =>
      Number(pool.hangs),
    );
    this.#gauge(
      'parlour_pool_longest_wait_seconds',
      'How long the first of those who wait for a connection has waited.',
      () => pool.longestWait / 1000,
    );
    this.#gauge('parlour_pool_connections', 'Open database connections.', () => pool.totalCount);
    this.#gauge(
      'parlour_pool_waiting',
      'Callers that wait for a connection.',
      () => pool.waitingCount + pool.queueLength,
    );
  }

  /** Times every request; the route is a pattern, never a path with ids. */
  observe(request: HttpRequest, response: HttpResponse): void {
    const stop = this.#requests.startTimer();
    response.once('close', () => {
      const surface = request.originalUrl.split(/[/?]/, 2)[1] ?? '';
      const route: unknown = response.locals['route'];
      const known = typeof route === 'string' ? route : 'other';
      stop({
        surface: surfaces.has(surface) ? surface : 'other',
        route: known,
        method: request.method,
        status: response.statusCode,
      });
    });
  }

  /** The shared store of budgets failed; each process goes on alone. */
  limiterFellBack(): void {
    this.#fallbacks.inc();
  }

  /** A request was not let in. */
  refusedAtTheDoor(): void {
    this.#refusals.inc();
  }

  /** A connection to the database broke by itself. */
  connectionLost(): void {
    this.#losses.inc();
  }

  /** Shows what the backlog saw when it last looked. */
  watchBacklog(backlog: Backlog): void {
    const queue = (name: string, help: string, read: (waiting: Backlog['queues'][number]) => number) =>
      new Gauge({
        name,
        help,
        labelNames: ['queue'],
        registers: [this.#registry],
        collect() {
          this.reset();
          for (const waiting of backlog.queues) this.set({ queue: waiting.name }, read(waiting));
        },
      });
    queue('parlour_queue_depth', 'Jobs whose time has come, by queue.', ({ depth }) => depth);
    queue('parlour_queue_age_seconds', 'How long the first of them has waited, by queue.', ({ age }) => age);
    this.#gauge(
      'parlour_webhook_deliveries_due',
      'Deliveries of webhooks whose time has come.',
      () => backlog.webhooks?.depth ?? 0,
    );
    this.#gauge(
      'parlour_webhook_age_seconds',
      'How long the first of them has waited.',
      () => backlog.webhooks?.age ?? 0,
    );
  }

  /** With `REDIS_URL` alone. */
  watchRedis(redis: Redis): void {
    this.#gauge('parlour_redis_up', 'Whether Redis answers: 1 or 0.', () => Number(redis.ready));
  }

  async render(): Promise<{ contentType: string; body: string }> {
    return { contentType: this.#registry.contentType, body: await this.#registry.metrics() };
  }

  #gauge(name: string, help: string, read: () => number): void {
    void new Gauge({
      name,
      help,
      registers: [this.#registry],
      collect() {
        this.set(read());
      },
    });
  }
}

const surfaces = new Set(['api', 'trpc', 'graphql', 'webchat', 'docs']);
