/** An id (or another value that answers give) which is chosen when the call is made: a call can be shrunk and repeated. */
export interface Reference {
  $from: string;
  /** Which of those known, counted from the newest. */
  n: number;
  /** Whose: the caller's own, or the other company's. */
  foreign?: boolean;
}

/** Text of a JSON value as it stands in the body, where JavaScript has no such value. */
interface Raw {
  $raw: string;
}

const perKind = 60;
export const ulid = /\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g;

/** Names of fields whose value is an id, with the kind of record. */
const kinds: Readonly<Record<string, string>> = {
  reply_to: 'message',
  contact_ids: 'contact',
  conversation_ids: 'conversation',
  product_ids: 'product',
  feedback_id: 'feedback',
  message_id: 'message',
  skip_key: 'key',
  target: 'contact',
  image_url: 'media_url',
  media_urls: 'media_url',
  media_url: 'media_url',
  mentions: 'email',
  members: 'email',
  agent_email: 'email',
  assignee: 'email',
  actor: 'email',
  user: 'email',
  next_cursor: 'cursor',
  next_before: 'before',
  next_after: 'after',
};
const own = new Set(
  [
    'contact conversation tag product order message booking campaign feedback suggestion quick_reply team media',
    'agent role key invitation notification endpoint delivery channel view session cursor before after version draft',
  ].flatMap((line) => line.split(' ')),
);

/** The kind of value that a field of this name takes, if it is one that answers give. */
export function kindOf(name: string): string | undefined {
  const snake = snakeCase(name);
  return kinds[snake] ?? (own.has(snake) ? snake : undefined);
}

/** A name of GraphQL or tRPC as REST has it. */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** What the answers of one company and mode have told: ids, cursors, e-mails by kind. */
export class Pool {
  readonly #known = new Map<string, unknown[]>();

  add(kind: string, value: unknown): void {
    const values = this.#known.get(kind) ?? [];
    this.#known.set(kind, values);
    if (values.includes(value)) return;
    values.push(value);
    // The oldest are what the company had from the beginning: the middle goes.
    if (values.length > perKind) values.splice(perKind / 2, 1);
  }

  pick({ $from, n }: Reference): unknown {
    const values = this.#known.get($from) ?? [];
    return values.length === 0 ? '01JQZ7K3M9V5T2XH8C4B6N0DFG' : values.at(-1 - (n % values.length));
  }

  /** Takes from an answer what later calls can name. @param kind of the records that stand at the top */
  harvest(value: unknown, kind: string): void {
    if (Array.isArray(value)) for (const item of value.slice(0, 20)) this.harvest(item, kind);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    for (const [name, inner] of Object.entries(value)) {
      const snake = snakeCase(name);
      const of = snake === 'id' ? kind : kindOf(snake);
      if (snake === 'email') this.#agent(kind, inner);
      else if (snake === 'url' && kind === 'media') this.add('media_url', inner);
      else if (of && (typeof inner === 'string' || typeof inner === 'number')) this.add(of, inner);
      else if (typeof inner === 'object')
        this.harvest(inner, transparent.has(snake) ? kind : singular(snake));
    }
  }

  #agent(kind: string, email: unknown): void {
    if (['agent', 'assignee', 'created_by'].includes(kind) && typeof email === 'string')
      this.add('email', email);
  }
}

/** Fields that hold the records themselves. */
const transparent = new Set(['data', 'items', 'result', 'json']);

/** `quickReplies` and `quick_replies` hold a `quick_reply`. */
export function singular(plural: string): string {
  return snakeCase(plural).replace(/ies$/, 'y').replace(/s$/, '');
}

/** Whether a value stands for another one. */
function isReference(value: object): value is Reference {
  return '$from' in value;
}

/** Replaces what stands for other values. @param choose the value of a reference */
export function resolve(value: unknown, choose: (reference: Reference) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => resolve(item, choose));
  if (isReference(value)) return choose(value);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolve(inner, choose)]));
}

/** JSON text, raw values as they are. */
export function encode(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(encode).join(',')}]`;
  if ('$raw' in value) return (value as Raw).$raw;
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return `{${fields.map(([name, inner]) => `${JSON.stringify(name)}:${encode(inner)}`).join(',')}}`;
}
