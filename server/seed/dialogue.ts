import type { Agent, Author, Entry, TagRef } from '../sandbox/thread.ts';
import type { Person } from './people.ts';
import { cities, days, phrases } from './phrases.ts';
import type { Random } from './random.ts';

const second = 1_000;
const minute = 60 * second;

/** Who takes part in a seeded conversation. */
export interface Circle {
  contact: Author;
  person: Person;
  agents: readonly Agent[];
  tags: readonly TagRef[];
  /** Names of things that are sold. */
  products: readonly string[];
}

const system: Author = { type: 'system', id: null, name: null, email: null };
const assistant: Author = { type: 'ai', id: null, name: 'Assistant', email: null };

/**
 * A conversation with exactly `length` messages: question and answer in the contact's language, with what happens
 * around it (assigned, tagged, noted, closed, rated).
 */
export function dialogue(random: Random, circle: Circle, start: Date, length: number): Entry[] {
  const entries: Entry[] = [];
  const agent = random.pick(circle.agents);
  let at = start.getTime();
  const later = (gap: number) => (at += gap);
  const add = (entry: Entry) => void entries.push(entry);

  add({ kind: 'event', author: system, event: { name: 'created' }, at: new Date(at) });
  if (random.chance(75)) {
    add({
      kind: 'event',
      author: agent,
      event: { name: 'assigned', to: agent },
      at: new Date(later(second)),
    });
  }
  for (let said = 0; said < length;) {
    const [question, answer] = exchange(random, circle, said === 0);
    const customer = { kind: 'message' as const, author: circle.contact };
    add({ ...customer, text: question, at: new Date(later(random.between(second, 90 * minute))) });
    if (++said === length) break;
    const author = random.chance(12) ? assistant : agent;
    const status = said + 1 >= length ? lastStatus(random) : 'read';
    const failure =
      status === 'failed' ? { code: 'undeliverable', message: 'The number can’t be reached.' } : null;
    const gap = author === assistant ? second * 2 : random.between(20 * second, 25 * minute);
    add({
      kind: 'message',
      author,
      text: answer,
      status,
      ...(failure ? { failure } : {}),
      at: new Date(later(gap)),
    });
    said++;
  }
  addAfterwards(random, circle, agent, (entry) =>
    add({ ...entry, at: new Date(later(random.between(second, minute))) }),
  );
  return entries;
}

/** An entry whose time is still to be given. */
type Timeless<E = Entry> = E extends unknown ? Omit<E, 'at'> : never;

/** Notes, tags and the end of the conversation. */
function addAfterwards(random: Random, circle: Circle, agent: Agent, add: (entry: Timeless) => void): void {
  const { contact, person, tags } = circle;
  if (random.chance(15)) {
    const text = filled(random, circle, random.pick(phrases[person.language].notes));
    add({ kind: 'note', author: agent, text, mentions: [] });
  }
  if (tags.length > 0 && random.chance(35)) {
    add({ kind: 'event', author: agent, event: { name: 'tagged', tag: random.pick(tags) } });
  }
  if (random.chance(2)) add({ kind: 'event', author: agent, event: { name: 'muted', until: null } });
  if (!random.chance(45)) return;
  add({ kind: 'event', author: agent, event: { name: 'closed' } });
  if (random.chance(40)) {
    add({
      kind: 'event',
      author: contact,
      event: { name: 'rated', rating: random.pick([5, 5, 5, 4, 4, 3, 2, 1]), comment: null },
    });
  }
  if (random.chance(20)) add({ kind: 'event', author: agent, event: { name: 'archived' } });
}

function lastStatus(random: Random) {
  return random.pick(['read', 'read', 'read', 'delivered', 'delivered', 'sent', 'failed'] as const);
}

function exchange(random: Random, circle: Circle, first: boolean): [question: string, answer: string] {
  const { greeting, exchanges, thanks } = phrases[circle.person.language];
  const [question, answer] = random.pick(!first && random.chance(12) ? thanks : exchanges);
  const opening = (first ? random.pick(greeting) : '') + question;
  return [capital(filled(random, circle, opening)), filled(random, circle, answer)];
}

const gap = /\{(\w+)\}/g;

function filled(random: Random, { person, products }: Circle, text: string): string {
  return text.replace(gap, (_, name: string) => {
    switch (name) {
      case 'product':
        return random.pick(products);
      case 'city':
        return random.pick(cities[person.language]);
      case 'day':
        return random.pick(days[person.language]);
      case 'name':
        return person.firstName;
      case 'order':
        return String(random.between(1_000, 99_999));
      case 'stock':
        return String(random.between(3, 60));
      default:
        return `${random.between(3, 40)} €`;
    }
  });
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
