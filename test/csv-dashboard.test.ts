import { beforeEach, describe, expect, it } from 'vitest';
import type { Client } from './support/client.ts';
import { ownerPage, type Page } from './support/page.ts';
import { addContact } from './support/shop.ts';
import { type TestCompany, useServer } from './support/server.ts';

const server = useServer();
let company: TestCompany;
let api: Client;
let page: Page;

beforeEach(async () => {
  company = await server().company();
  api = await company.client();
  page = await ownerPage(server().url, company);
});

const own = () => ({
  Cookie: page.cookie,
  'Sec-Fetch-Site': 'same-origin',
  Origin: server().url,
  'X-Service-Mode': 'live',
});

const download = (path: string, headers: Record<string, string> = own()) =>
  fetch(`${server().url}/csv/${path}`, { headers });

async function send(path: string, text: string | null, headers: Record<string, string> = own()) {
  const body = new FormData();
  if (text !== null) body.append('file', new File([text], 'contacts.csv', { type: 'text/csv' }));
  else body.append('other', 'x');
  const response = await fetch(`${server().url}/csv/${path}`, { method: 'POST', body, headers });
  const said = await response.text();
  return {
    status: response.status,
    lines: said
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  };
}

const names = async () =>
  (await api.get('/contacts', { sort: 'name' })).body.data.map((one: { name: string }) => one.name);

describe('files in the dashboard', () => {
  it('are what the list shows with its filters, safe for spreadsheets', async () => {
    await addContact(api, { name: '=HYPERLINK("http://evil.example")', country: 'PT' });
    await addContact(api, { name: 'Bea', country: 'ES' });
    const response = await download('contacts?country=PT&blocked=false');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="contacts.csv"');
    const text = await response.text();
    expect(text).toContain("'=HYPERLINK");
    expect(text).not.toContain('Bea');
    expect(text.trim().split(/\r?\n/)).toHaveLength(2);
    expect((await download('contacts?blocked=x')).status).toBe(422);
    expect((await download('orders?status=pending')).status).toBe(200);
    expect((await download('products')).status).toBe(200);
    const campaigns = await download('campaigns?status=draft');
    expect(await campaigns.text()).toMatch(/^\uFEFF?id,name,channel,status,audience,total/);
    expect((await download('campaigns?status=nothing')).status).toBe(422);
    expect((await download('nothing')).status).toBe(404);
    expect((await download('constructor')).status).toBe(404);
  });

  it('are imported row by row, after a try that keeps nothing', async () => {
    const text = 'name,phone,country\nAna,912345678,PT\nBea,12,PT\nCaio,+5511987654321,BR\n';
    const tried = await send('contacts?dry_run=true', text);
    expect(tried.status).toBe(200);
    expect(tried.lines.at(-1).result).toMatchObject({ dry_run: true, rows: 3, created: 2, failed: 1 });
    expect(await names()).toEqual([]);
    const done = await send('contacts', text);
    expect(done.lines[0]).toEqual({ lines: 3 });
    expect(done.lines.at(-1).result).toMatchObject({ dry_run: false, rows: 3, created: 2, failed: 1 });
    const rejected = done.lines.map((line) => line.rejected ?? '').join('');
    expect(rejected).toContain('Bea');
    expect(rejected).not.toContain('Caio');
    expect(await names()).toEqual(['Ana', 'Caio']);
    const again = await send('contacts', text);
    expect(again.lines.at(-1).result).toMatchObject({ created: 0, skipped: 2, failed: 1 });
  });

  it('are outlined first, and imported by the columns that one chose', async () => {
    const text = 'Who,Mobile,Colour\nAna,+351912345678,red\nBea,+351912345679,blue\n';
    const outlined = await send('contacts?outline=true', text);
    expect(outlined.lines).toEqual([
      {
        outline: {
          titles: ['Who', 'Mobile', 'Colour'],
          columns: [null, 'phone', null],
          samples: [
            ['Ana', '+351912345678', 'red'],
            ['Bea', '+351912345679', 'blue'],
          ],
          known: expect.arrayContaining(['name', 'phone', 'email']),
        },
      },
    ]);
    expect(await names()).toEqual([]);
    for (const columns of ['colour', 'name,name', ',,,name', 'name'])
      expect((await send(`contacts?columns=${columns}`, text)).status, columns).toBe(422);
    expect(await names()).toEqual([]);
    const done = await send('contacts?columns=name,phone,', text);
    expect(done.lines.at(-1).result).toMatchObject({ created: 2, failed: 0, ignored_columns: ['Colour'] });
    expect(await names()).toEqual(['Ana', 'Bea']);
    expect((await send('contacts?outline=true', '')).status).toBe(422);
    expect((await send('recipients', text)).status).toBe(404);
  });

  it('are refused whole when they are none, and change nothing', async () => {
    for (const text of ['', 'colour\nred\n', 'name,name\nx,y\n']) {
      const { status, lines } = await send('contacts', text);
      expect(status, JSON.stringify(lines)).toBe(422);
      expect(lines[0].error).toMatchObject({ code: 'validation_failed', param: 'file' });
    }
    expect((await send('contacts', null)).status).toBe(422);
    expect((await send('contacts?country=Portugal', 'name\nx\n')).status).toBe(422);
    expect(await names()).toEqual([]);
  });

  it('are for sessions of live mode alone, of whoever may change the records', async () => {
    const { Cookie: _cookie, ...nobody } = own();
    const key = { Authorization: `Bearer ${api.key}`, 'X-Service-Mode': 'live' };
    const test = { ...own(), 'X-Service-Mode': 'test' };
    const foreign = { ...own(), 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
    const { 'X-Service-Mode': _mode, ...silent } = own();
    for (const [headers, status] of [
      [nobody, 401],
      [key, 403],
      [test, 403],
      [foreign, 403],
    ] as const) {
      expect((await download('contacts', headers)).status).toBe(status);
      expect((await send('contacts', 'name\nx\n', headers)).status).toBe(status);
    }
    expect((await send('contacts', 'name\nx\n', silent)).status).toBe(403);
    expect(await names()).toEqual([]);
  });
});
