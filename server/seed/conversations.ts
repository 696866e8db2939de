import { setImmediate as breathe } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import { type ThreadRows, threadRows } from '../sandbox/thread.ts';
import { missing } from './batches.ts';
import { catalogueEntry } from './catalogue.ts';
import { CopyLoad } from './copy.ts';
import { dialogue } from './dialogue.ts';
import type { SeedPlan, SeedStage } from './plan.ts';
import { tables } from './tables.ts';

/** Most messages of a batch: some 20 MB on their way. */
const batchMessages = 20_000;
const batchConversations = 5_000;
/** Entries of one conversation, at most: its share of the ids. */
const entriesEach = 65_536;

/** A thread, with the feedback row that every AI message has. */
interface SeededThread extends ThreadRows {
  feedback: { companyId: string; id: string; messageId: string; createdAt: Date }[];
}

type Counts = { conversations: number; messages: number };

/**
 * Conversations with their messages, oldest first. While one batch is on its way the next one is made up.
 * @param commit runs one batch: in a transaction of its own, or inside the one that is open
 */
export async function seedConversations(
  client: ClientBase,
  plan: SeedPlan,
  stage: SeedStage,
  commit: (send: () => Promise<void>) => Promise<void>,
): Promise<Counts> {
  const counts: Counts = { conversations: 0, messages: 0 };
  const products = productNames(plan);
  const first = !(await hasConversations(client, plan.options.companyId));
  let sending = Promise.resolve();
  for (const indexes of batches(plan)) {
    const fresh = first ? indexes : await absent(client, plan, indexes, sending);
    const batch = await makeUp(plan, stage, products, fresh);
    counts.conversations += batch.counts.conversations;
    counts.messages += batch.counts.messages;
    await sending;
    sending = commit(() => batch.send(client));
    // A failure is seen at the next await; until then it must not count as unhandled.
    sending.catch(() => {});
    plan.options.onProgress?.(indexes.reduce((sum, index) => sum + 1 + plan.lengthOf(index), 0));
  }
  await sending;
  return counts;
}

async function hasConversations(client: ClientBase, companyId: string): Promise<boolean> {
  const { rows } = await client.query('SELECT FROM conversations WHERE company_id = $1 LIMIT 1', [companyId]);
  return rows.length > 0;
}

/** Reading what is there shares the connection, so it waits for the batch before. */
async function absent(
  client: ClientBase,
  plan: SeedPlan,
  indexes: number[],
  sending: Promise<void>,
): Promise<number[]> {
  await sending;
  return missing(client, 'conversations', plan.options.companyId, indexes, (index) =>
    plan.conversationId(index),
  );
}

function* batches(plan: SeedPlan): Generator<number[]> {
  let batch: number[] = [];
  let messages = 0;
  for (let index = plan.options.conversations - 1; index >= 0; index--) {
    batch.push(index);
    messages += plan.lengthOf(index);
    if (messages < batchMessages && batch.length < batchConversations) continue;
    yield batch;
    batch = [];
    messages = 0;
  }
  if (batch.length > 0) yield batch;
}

async function makeUp(
  plan: SeedPlan,
  stage: SeedStage,
  products: readonly string[],
  indexes: readonly number[],
): Promise<Batch> {
  const batch = new Batch();
  for (const [place, index] of indexes.entries()) {
    batch.add(conversation(plan, stage, products, index));
    if (place % 50 === 49) await breathe();
  }
  return batch;
}

function conversation(
  plan: SeedPlan,
  stage: SeedStage,
  products: readonly string[],
  index: number,
): SeededThread {
  const { companyId, contacts } = plan.options;
  const contactIndex = index % contacts;
  const person = plan.person(contactIndex);
  const contact = {
    type: 'contact' as const,
    id: plan.contactId(contactIndex),
    name: person.name,
    email: person.email,
  };
  const random = plan.random('conversation', index);
  const circle = { contact, person, agents: stage.agents, tags: stage.tags, products };
  const entries = dialogue(random, circle, plan.startOf(index), plan.lengthOf(index));
  // Nothing happens after the end of the seed's time: a thread that would go on began earlier.
  const late = (entries.at(-1)?.at.getTime() ?? 0) - plan.until.getTime();
  if (late > 0) for (const entry of entries) entry.at = new Date(entry.at.getTime() - late);
  const partId = (kind: 'entry' | 'feedback', place: number, at: Date) =>
    plan.ids.id(kind, index * entriesEach + place, at);
  const rows = threadRows({
    companyId,
    id: plan.conversationId(index),
    contact,
    channel: stage.channel,
    entries,
    entryId: (place, at) => partId('entry', place, at),
  });
  const feedback = rows.messages.flatMap(({ aiGenerated, id, at }, place) => {
    const createdAt = new Date(at);
    return aiGenerated
      ? [{ companyId, id: partId('feedback', place, createdAt), messageId: id, createdAt }]
      : [];
  });
  return { ...rows, feedback };
}

/** Threads on their way to the database, table by table. */
class Batch {
  readonly counts: Counts = { conversations: 0, messages: 0 };
  readonly #loads = {
    conversation: new CopyLoad(tables.conversations),
    messages: new CopyLoad(tables.messages),
    notes: new CopyLoad(tables.notes),
    timeline: new CopyLoad(tables.timeline),
    tags: new CopyLoad(tables.conversationTags),
    feedback: new CopyLoad(tables.feedback),
  };

  add(thread: SeededThread): void {
    this.counts.conversations++;
    this.counts.messages += thread.messages.length;
    this.#loads.conversation.add([thread.conversation]);
    for (const part of ['messages', 'notes', 'timeline', 'tags', 'feedback'] as const) {
      this.#loads[part].add(thread[part]);
    }
  }

  /** What is referred to goes before what refers to it. */
  async send(client: ClientBase): Promise<void> {
    for (const load of Object.values(this.#loads)) await load.send(client);
  }
}

function productNames(plan: SeedPlan): string[] {
  return Array.from(
    { length: 40 },
    (_, index) => catalogueEntry(plan.random('product', index), index, plan.mark).name.split(',')[0] ?? '',
  );
}
