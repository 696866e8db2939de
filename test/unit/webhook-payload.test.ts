import { expect, it } from 'vitest';
import { Event } from '../../schema/events.ts';
import { eventBody } from '../../server/webhooks/payload.ts';

const event = (text: string) => ({
  id: '01JQZ7K3M9V5T2XH8C4B6N0DFG',
  type: 'contact.updated',
  api_version: 'v1' as const,
  created_at: '2026-03-01T09:30:00.123Z',
  livemode: true,
  company: '01JQZ7K3M9V5T2XH8C4B6N0DFH',
  actor: { type: 'system' as const, id: null, name: null, request_id: null },
  cause: null,
  data: { object: { id: '01JQZ7K3M9V5T2XH8C4B6N0DFK', text }, previous: { text: '' } },
});

it('a body has at most 256 KiB: of a larger record the id is left [W13]', () => {
  const frame = eventBody(event(''), 5n).length;
  const full = eventBody(event('x'.repeat(256 * 1024 - frame)), 5n);
  expect(full).toHaveLength(256 * 1024);
  const large = eventBody(event('x'.repeat(256 * 1024 - frame + 1)), 5n);
  expect(large.length).toBeLessThan(1024);
  expect(Event.parse(JSON.parse(large.toString()))).toMatchObject({
    sequence: 5,
    data: { object: { id: '01JQZ7K3M9V5T2XH8C4B6N0DFK', truncated: true } },
  });
});
