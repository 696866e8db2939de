// What GraphQL is measured against: PostGraphile over the same tables, for one company and without keys or limits.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';

const pool = new pg.Pool({
  connectionString: process.env['DATABASE_URL'],
  max: 8,
  application_name: 'postgraphile',
});
const instance = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ pool, schemas: ['public'] })],
  grafserv: { graphqlPath: '/graphql', websockets: false },
});
const server = createServer();
server.on('error', (error) => process.stderr.write(`${error.message}\n`));
await instance.createServ(grafserv).addTo(server);
// The schema is made from the tables before anybody asks.
await instance.getSchema();
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
});
