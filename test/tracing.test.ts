import { afterAll, beforeAll, expect, it } from 'vitest';
import { Client } from './support/client.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { startServer, type TestServer } from './support/server.ts';
import { createEndpoint, loopbackAllowed } from './support/webhooks.ts';

interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: string } }[];
}

interface Sent {
  resourceSpans: { resource: Pick<SentSpan, 'attributes'>; scopeSpans: { spans: SentSpan[] }[] }[];
}

let collector: Receiver;
let server: TestServer;

beforeAll(async () => {
  collector = await startReceiver();
  server = await startServer({
    ...loopbackAllowed,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-token=collect%20it',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,deployment.environment.name=a%20test',
    OTEL_SERVICE_NAME: 'parlour-tests',
    OTEL_BSP_SCHEDULE_DELAY: '100',
  });
});

afterAll(async () => {
  await server.close();
  await collector.close();
});

const told = () =>
  collector.received.flatMap(({ body }) => (JSON.parse(body.toString()) as Sent).resourceSpans);

const spans = () => told().flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));

const factsOf = ({ attributes }: Pick<SentSpan, 'attributes'>) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]));

it('tells a collector of requests and their statements, and of nothing that they carried', async () => {
  const company = await server.company();
  const { key } = await company.key();
  const trace = '0af7651916cd43dd8448eb211c80319c';
  const answer = await fetch(`${server.url}/api/v1/contacts?unheard=Query`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': 'order-of-ines',
      traceparent: `00-${trace}-b7ad6b7169203331-01`,
    },
    body: JSON.stringify({ name: 'Inês Duarte', email: 'ines@example.com', phone: '+351912345678' }),
  });
  expect(answer.status).toBe(201);
  const ours = () => spans().filter(({ traceId }) => traceId === trace);
  const request = () => ours().find(({ kind }) => kind === 2);
  await expect.poll(request).toBeDefined();
  const found = request();
  expect(found).toMatchObject({ name: 'POST contacts.create', parentSpanId: 'b7ad6b7169203331' });
  expect(found && factsOf(found)).toEqual({
    'http.request.method': 'POST',
    'http.route': 'contacts.create',
    'http.response.status_code': 201,
    'parlour.request_id': answer.headers.get('x-request-id'),
    'parlour.company_id': company.id,
  });
  const statements = ours().filter(({ kind }) => kind === 3);
  expect(statements.every(({ parentSpanId }) => parentSpanId === found?.spanId)).toBe(true);
  expect(statements.map(({ name }) => name)).toEqual(expect.arrayContaining(['BEGIN', 'INSERT', 'COMMIT']));
  for (const { startTimeUnixNano, endTimeUnixNano } of ours())
    expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));

  for (const { resource } of told())
    expect(factsOf(resource)).toMatchObject({
      'service.name': 'parlour-tests',
      'deployment.environment.name': 'a test',
    });
  for (const { path, headers, body } of collector.received) {
    expect(path).toBe('/v1/traces');
    expect(headers['x-token']).toBe('collect it');
    for (const secret of ['Inês', 'ines@', '912345678', key, 'order-of-ines', 'unheard', company.owner.email])
      expect(body.toString()).not.toContain(secret);
  }
});

it('gives each of many requests its own statements', async () => {
  const api = await (await server.company()).client();
  const before = spans().length;
  const names = Array.from({ length: 30 }, (_, n) => `Contact ${n}`);
  await Promise.all(names.map((name) => api.post('/contacts', { name })));
  const requests = () =>
    spans()
      .slice(before)
      .filter(({ name }) => name === 'POST contacts.create');
  await expect.poll(() => requests().length).toBe(names.length);
  const inserts = (id: string) =>
    spans().filter(({ parentSpanId, name }) => parentSpanId === id && name === 'COMMIT').length;
  await expect.poll(() => requests().map(({ spanId }) => inserts(spanId))).toEqual(names.map(() => 1));
});

it('tells of jobs and the statements that they run', async () => {
  const company = await server.company();
  await server.app.jobs.enqueue('automation.assign', { companyId: company.id });
  const job = () =>
    spans().find(
      (span) => span.name === 'job automation.assign' && factsOf(span)['parlour.company_id'] === company.id,
    );
  await expect.poll(job).toMatchObject({ kind: 5, attributes: expect.anything() as unknown });
  expect(job()?.parentSpanId).toBeUndefined();
  await expect.poll(() => spans().some(({ parentSpanId }) => parentSpanId === job()?.spanId)).toBe(true);
});

it('tells of attempts to deliver, and not where to', async () => {
  const company = await server.company();
  const customer = await startReceiver();
  customer.answer(500);
  await createEndpoint(server, company, { url: `${customer.url}?token=unheard` });
  await (await company.client()).post('/contacts', { name: 'Inês Duarte' });
  const [request] = await customer.until(1);
  const attempt = () =>
    spans().find((span) => factsOf(span)['parlour.delivery_id'] === request?.headers['x-service-delivery']);
  await expect.poll(attempt).toMatchObject({ name: 'webhook delivery', kind: 3, status: { code: 2 } });
  const found = attempt();
  expect(found && factsOf(found)).toEqual({
    'parlour.event_type': request?.headers['x-service-event'],
    'parlour.delivery_id': request?.headers['x-service-delivery'],
    'http.response.status_code': 500,
  });
  expect(collector.received.some(({ body }) => body.includes('unheard'))).toBe(false);
  await customer.close();
});

it.each([
  { ratio: '1', sent: true },
  { ratio: '0', sent: false },
])('tells at the end what waited, of a share of $ratio', async ({ ratio, sent }) => {
  const other = await startReceiver();
  const sampled = await startServer(
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${other.port}`,
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: ratio,
      OTEL_BSP_SCHEDULE_DELAY: '600000',
    },
    server.databaseUrl,
  );
  const { key } = await (await sampled.company()).key();
  expect((await new Client(sampled.url, key).get('/me')).status).toBe(200);
  await sampled.close();
  expect(other.received.length > 0).toBe(sent);
  await other.close();
});

it('goes on when the collector refuses what it is sent', async () => {
  const api = await (await server.company()).client();
  const before = collector.received.length;
  collector.answer(503);
  expect((await api.get('/me')).status).toBe(200);
  await expect.poll(() => collector.received.length).toBeGreaterThan(before);
  expect((await api.get('/me')).status).toBe(200);
  collector.answer(200);
});

it('does nothing unless it is asked for', async () => {
  const plain = await startServer({}, server.databaseUrl);
  const { key } = await (await plain.company()).key();
  expect((await new Client(plain.url, key).get('/me')).status).toBe(200);
  expect(plain.app.tracing).toBeNull();
  await plain.close();
});
