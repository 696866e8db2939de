import { beforeAll, expect, it } from 'vitest';
import type { Answer, Client } from '../support/client.ts';
import { pathParameters, restProcedures } from '../support/procedures.ts';
import { useServer } from '../support/server.ts';

const server = useServer();
let sandbox: Client;

beforeAll(async () => {
  sandbox = await (await server().company()).client({ mode: 'test' });
});

const lists = restProcedures.filter(
  ({ operation, rest }) => 'cursor' in operation.input.shape && pathParameters(rest).length === 0,
);

it.each(lists.map(({ name, rest }) => [name, rest.path] as const))(
  '%s tells the end of the list by no cursor, and by nothing else [P4]',
  async (_name, path) => {
    const all = (await sandbox.get(path, { limit: 100 })).body;
    const ids: string[] = all.data.map(({ id }: { id: string }) => id);
    expect(ids.length).toBeGreaterThan(1);
    expect(all.meta).toMatchObject({ has_more: false, next_cursor: null });
    const exactly = (await sandbox.get(path, { limit: ids.length })).body.meta;
    expect(exactly).toMatchObject({ has_more: false, next_cursor: null });
    const short = (await sandbox.get(path, { limit: ids.length - 1 })).body.meta;
    expect(short).toMatchObject({ has_more: true, next_cursor: expect.any(String) });
    for (const limit of [1, 2, 25]) {
      const walked: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: Answer = await sandbox.get(path, { limit, ...(cursor === '' ? {} : { cursor }) });
        const { data, meta } = page.body;
        walked.push(...data.map(({ id }: { id: string }) => id));
        expect(meta.has_more).toBe(meta.next_cursor !== null);
        cursor = meta.next_cursor;
      }
      expect(walked).toEqual(ids);
    }
  },
);
