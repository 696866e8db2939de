import { beforeEach, expect, it } from 'vitest';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { scaled } from './support/scale.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { flight } from './support/shop.ts';
import { createContacts, createEndpoint, loopbackAllowed } from './support/webhooks.ts';

const server = useServer({ ...loopbackAllowed, LOG_LEVEL: 'silent' });
let company: TestCompany;
let receiver: Receiver;

beforeEach(async () => {
  company = await server().company();
  receiver = await startReceiver();
  return () => receiver.close();
});

const names = () => receiver.received.map(({ event }) => event.data.object.name);

/** What comes after everything else has come alone. */
async function expectNothingBefore(): Promise<void> {
  await createContacts(company, 1);
  await receiver.until(1);
  expect(names()).toEqual(['Ana 0']);
}

it('changes that were rolled back send nothing [W2]', async () => {
  const api = await company.client();
  await server().app.pool.query(`CREATE FUNCTION roll_back() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN IF NEW.payload->'data'->'object'->>'name' = 'rolled back' THEN RAISE 'too late' USING ERRCODE = 'XX000'; END IF;
    RETURN NEW; END $$`);
  // At the end of the transaction, when the event has long been written.
  await server().app.pool.query(`CREATE CONSTRAINT TRIGGER roll_back AFTER INSERT ON events
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION roll_back()`);
  await createEndpoint(server(), company, { url: receiver.url });
  const statuses = await flight(scaled(100, 2_000), 8, () =>
    api.post('/contacts', { name: 'rolled back' }).then(({ status }) => status),
  );
  expect(new Set(statuses)).toEqual(new Set([500]));
  await server().app.pool.query('DROP FUNCTION roll_back() CASCADE');
  await expectNothingBefore();
});

it('calls with a test key send nothing [W11]', async () => {
  await createEndpoint(server(), company, { url: receiver.url });
  const sandbox = await company.client({ mode: 'test' });
  const { data } = (await sandbox.get('/contacts')).body;
  const calls = [
    () => sandbox.post('/contacts', { name: 'of a test' }),
    () => sandbox.patch(`/contacts/${data[0].id}`, { name: 'of a test' }),
    () => sandbox.post('/tags', { name: 'of a test' }),
    () => sandbox.delete(`/contacts/${data[0].id}`),
  ];
  const statuses = await flight(scaled(100, 1_000), 8, (n) => calls[n % 4]!().then(({ status }) => status));
  expect(statuses.filter((status) => status >= 300)).toEqual([]);
  await expectNothingBefore();
});

it('an endpoint gets the events of its own company and of no other [W12]', async () => {
  const companies = await flight(20, 4, () => server().company());
  const each = scaled(3, 500);
  for (const one of companies) await createEndpoint(server(), one, { url: `${receiver.url}/${one.id}` });
  await flight(20, 4, (n) => createContacts(companies[n]!, each));
  await receiver.until(20 * each, 240_000);
  expect(receiver.received.filter(({ path, event }) => !path.endsWith(event.company))).toEqual([]);
  for (const { id } of companies)
    expect(
      new Set(receiver.received.filter(({ event }) => event.company === id).map(({ event }) => event.id))
        .size,
    ).toBe(each);
});
