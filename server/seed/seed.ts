import pg, { type ClientBase } from 'pg';
import { analyse, inTransaction } from './batches.ts';
import { bulkFrom, intoFewMessages, talkTables } from './bulk.ts';
import { seedContacts } from './contacts.ts';
import { seedConversations } from './conversations.ts';
import { seedOrders, seedProducts } from './orders.ts';
import { type SeedCounts, type SeedOptions, SeedPlan } from './plan.ts';
import { openSeedStage } from './stage.ts';

/**
 * Fills a company with made-up contacts, conversations, messages, products and orders. The same options give the same
 * rows; records that an earlier run made are left alone. Streams with COPY, in batches that are committed one by one;
 * only many messages into a database that has few are one transaction (see {@link intoFewMessages}).
 * @throws Error for an unknown company, or one without an agent
 */
export async function seedCompany(databaseUrl: string, options: SeedOptions): Promise<SeedCounts> {
  checkOptions(options);
  // A connection of its own: the pool's gives up a statement after seconds, and a load takes minutes.
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'parlour-seed' });
  await client.connect();
  try {
    await client.query(`SET synchronous_commit = off; SET gin_pending_list_limit = '64MB'`);
    const plan = new SeedPlan(options);
    const stage = await inTransaction(client, () => openSeedStage(client, plan));
    const contacts = await seedContacts(client, plan, stage);
    const products = await seedProducts(client, plan, stage);
    await analyse(client, ['contacts', 'contact_identities']);
    const talk = await seedTalk(client, plan, stage);
    const orders = await seedOrders(client, plan, stage);
    await analyse(client, ['products', 'orders', 'order_items']);
    return { contacts, ...talk, products, orders };
  } finally {
    await client.end();
  }
}

async function seedTalk(client: ClientBase, plan: SeedPlan, stage: Parameters<typeof seedConversations>[2]) {
  const counts = { conversations: 0, messages: 0 };
  if (plan.options.messages >= bulkFrom) {
    const load = async () => {
      Object.assign(counts, await seedConversations(client, plan, stage, (send) => send()));
    };
    if (await intoFewMessages(client, load)) return counts;
  }
  const inserted = await seedConversations(client, plan, stage, (send) => inTransaction(client, send));
  if (inserted.messages > 0) await analyse(client, talkTables);
  return inserted;
}

function checkOptions({ contacts, conversations, messages, products, orders }: SeedOptions): void {
  if ((conversations > 0 || orders > 0) && contacts === 0)
    throw new RangeError('Conversations and orders need contacts.');
  if (messages > 0 && conversations === 0) throw new RangeError('Messages need conversations.');
  if (orders > 0 && products === 0) throw new RangeError('Orders need products.');
  if (messages > conversations * 20_000)
    throw new RangeError('A conversation takes at most 20,000 messages on average.');
  if (conversations > 16_000_000) throw new RangeError('At most 16,000,000 conversations.');
}
