import { describe, expect, test } from 'vitest';
import { revokeApiKey } from '../server/keys/service.ts';
import { execute } from '../server/platform/operation.ts';
import { systemContext } from '../server/platform/system-context.ts';
import { insertEvents } from './support/events.ts';
import { useServer } from './support/server.ts';

const server = useServer();
const eventsQuery = 'subscription($after: ID) { events(after: $after) { id sequence type resync } }';

describe('a subscription over HTTP', () => {
  test('the same subscription as server-sent events, ended when the key is revoked', async () => {
    const own = await server().company();
    const issued = await own.key();
    const response = await fetch(`${server().url}/graphql`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${issued.key}`,
        'Content-Type': 'application/json',
        Accept: 'text/event-stream',
      },
      body: JSON.stringify({ query: eventsQuery, variables: { after: 0 } }),
    });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    await expect.poll(() => server().app.feed.size, { timeout: 10_000 }).toBe(1);
    const ids = await insertEvents(server().app, own.id, 3);
    let text = '';
    const reading = (async () => {
      for await (const chunk of response.body!) text += Buffer.from(chunk).toString();
    })();
    await expect.poll(() => ids.every((id) => text.includes(id))).toBe(true);
    const began = performance.now();
    await execute(revokeApiKey, await systemContext(server().app, own.id), { key: issued.id });
    await reading;
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  test('asked for as JSON it is refused', async () => {
    const { body } = await (await (await server().company()).client()).graphql(eventsQuery);
    expect(body.errors).toMatchObject([{ extensions: { code: 'not_acceptable' } }]);
  });
});
