// What the benchmark measures against: node:http, pg and SQL by hand, as short as it gets. It answers as our REST does,
// for one company and one user, without keys, limits, validation or a log. Rules of the product (what a phone number is,
// what an entry is called) are the product's own: they would cost the same in any server.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createContact, listContacts, showContact } from './yardstick/contacts.ts';
import { listConversations, showConversation } from './yardstick/conversations.ts';
import { rowsOf } from './yardstick/database.ts';
import { listMessages, prepareMessages, sendMessage } from './yardstick/messages.ts';
import { showTimeline } from './yardstick/timeline.ts';

const company = process.env['BENCH_COMPANY'] ?? '';
const user = process.env['BENCH_USER'] ?? '';
const prefix = '/api/v1/';
const noQuery = new URLSearchParams();

await prepareMessages();
const me = await accountOf();

async function accountOf() {
  const [row] = await rowsOf<{ name: string; scopes: string[] }>(
    `SELECT c.name, k.scopes FROM companies c JOIN api_keys k ON k.company_id = c.id WHERE c.id = $1`,
    [company],
  );
  // The older names of two of the scopes are told as well.
  const scopes = ['bookings.read', 'bookings.write', ...(row?.scopes ?? [])].sort();
  return { data: { company: { id: company, name: row?.name }, scopes, livemode: true } };
}

async function read(url: string): Promise<object | undefined> {
  const [path = '', search] = url.slice(prefix.length).split('?');
  const query = search === undefined ? noQuery : new URLSearchParams(search);
  const [resource, id, part] = path.split('/');
  switch (resource) {
    case 'me':
      return me;
    case 'contacts':
      return id === undefined ? listContacts(company, query) : showContact(company, id);
    case 'conversations':
      if (id === undefined) return listConversations(company, user, query);
      return part === 'timeline' ? showTimeline(company, id, query) : showConversation(company, user, id);
    case 'messages':
      return listMessages(company, query);
    default:
      return undefined;
  }
}

async function write(request: IncomingMessage): Promise<object | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = JSON.parse(Buffer.concat(chunks).toString());
  switch (request.url) {
    case `${prefix}contacts`:
      return createContact(company, body);
    case `${prefix}messages`:
      return sendMessage(company, user, body);
    default:
      return undefined;
  }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const writes = request.method === 'POST';
  const body = await (writes ? write(request) : read(request.url ?? ''));
  const text = JSON.stringify(body ?? { error: 'not_found' });
  response
    .writeHead(body === undefined ? 404 : writes ? 201 : 200, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
    })
    .end(text);
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    response.writeHead(500).end(String(error));
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
});
