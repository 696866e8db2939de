import type { Message } from './types.ts';

const ranks = ['received', 'sent', 'delivered', 'read'];

/** The messages that the server has told of, by id: told twice, a message is there once, as it is now. */
export class Thread {
  readonly #messages = new Map<string, Message>();
  #sorted: readonly Message[] | null = [];

  /** In the order of the thread. */
  get messages(): readonly Message[] {
    this.#sorted ??= [...this.#messages.values()].sort((a, b) => {
      const [left, right] = a.at === b.at ? [a.id, b.id] : [a.at, b.at];
      return left < right ? -1 : 1;
    });
    return this.#sorted;
  }

  get unread(): number {
    return this.messages.filter(({ fromVisitor, status }) => !fromVisitor && status !== 'read').length;
  }

  get newestAnswer(): Message | undefined {
    return this.messages.findLast(({ fromVisitor }) => !fromVisitor);
  }

  /** A status never goes back. @returns whether the message is new */
  keep(message: Message): boolean {
    const known = this.#messages.get(message.id);
    if (known && ranks.indexOf(known.status) > ranks.indexOf(message.status)) return false;
    this.#messages.set(message.id, message);
    this.#sorted = null;
    return !known;
  }

  /** All answers have been seen. */
  markRead(): void {
    for (const message of this.messages) if (!message.fromVisitor) this.keep({ ...message, status: 'read' });
  }

  clear(): void {
    this.#messages.clear();
    this.#sorted = null;
  }
}
