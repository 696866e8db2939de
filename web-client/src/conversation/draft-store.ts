import { failureOf } from '../app/failure.ts';
import type { MessageMedia } from '../../../schema/entries.ts';
import { currentMode } from '../app/mode.ts';
import { socket } from '../realtime/socket.ts';
import { type Draft, draftOf, emptyDraft, isEmpty, loadDraft, type Mode, saveDraft } from './draft.ts';
import { follow } from './follow.ts';
import { readStored, writeStored } from './stored.ts';
import { Uploads } from './uploads.ts';

/** How long after the last key a draft goes to the server, and after a failure once more; in milliseconds. */
const pause = { key: 500, failure: 10_000 } as const;

const modes = ['reply', 'note'] as const;

/** A draft as this browser has it. */
interface Kept extends Draft {
  /** Of the server's draft that it was made from; -1: the server was not asked yet. */
  version: number;
  /** The server does not have it yet. */
  ahead: boolean;
}

/** Where a draft is kept: nothing to keep, on its way, on the server, or in this browser alone. */
export type Saved = 'nothing' | 'saving' | 'saved' | 'here';

const subscription = 'subscription { personal { type conversation object } }';

interface News {
  type: string;
  conversation: string | null;
  object: { mode?: Mode; version?: number };
}

const stores = new Map<string, DraftStore>();

/** The agent's drafts of a conversation, the same for whoever asks: a save may outlive the page that began it. */
export function draftsOf(agent: string, conversation: string): DraftStore {
  const name = `draft.${currentMode()}.${agent}.${conversation}`;
  const known = stores.get(name) ?? new DraftStore(name, conversation);
  stores.set(name, known);
  return known;
}

/**
 * The agent's drafts of a conversation: kept in this browser at once and on the server a moment later, where other
 * browsers of the agent find them. Each service mode has its own.
 */
export class DraftStore {
  readonly #name: string;
  readonly #conversation: string;
  readonly #service = currentMode();
  readonly #kept: Record<Mode, Kept>;
  readonly #timers: Partial<Record<Mode, ReturnType<typeof setTimeout>>> = {};
  readonly #saving: Record<Mode, boolean> = { reply: false, note: false };
  readonly #failed: Record<Mode, boolean> = { reply: false, note: false };
  readonly #listeners = new Set<() => void>();
  #revision = 0;
  /** The files of the reply that are not there yet. */
  readonly uploads = new Uploads((media) => this.attach(media));

  constructor(name: string, conversation: string) {
    this.#name = name;
    this.#conversation = conversation;
    const read = (mode: Mode): Kept => ({
      ...emptyDraft,
      version: -1,
      ahead: false,
      ...readStored<Partial<Kept>>(`${this.#name}.${mode}`),
    });
    this.#kept = { reply: read('reply'), note: read('note') };
  }

  read(mode: Mode): Draft {
    const { text, media, replyTo, mentions } = this.#kept[mode];
    return { text, media, replyTo, mentions };
  }

  write(mode: Mode, draft: Draft): void {
    this.#keep(mode, { ...draft, version: this.#kept[mode].version, ahead: true });
    this.#later(mode, pause.key);
  }

  /** Puts a file beside the reply, once. */
  attach(media: MessageMedia): void {
    const draft = this.read('reply');
    if (draft.media.some(({ id }) => id === media.id)) return;
    this.write('reply', { ...draft, media: [...draft.media, media] });
  }

  /** Takes a file away from the reply, if it is there. */
  detach(id: string): void {
    const draft = this.read('reply');
    const media = draft.media.filter((one) => one.id !== id);
    if (media.length < draft.media.length) this.write('reply', { ...draft, media });
  }

  /** Saves what is not saved yet, now. */
  flush(): void {
    for (const mode of modes) if (this.#kept[mode].ahead) void this.#save(mode);
  }

  /**
   * Stops saving, because what was written is being sent. @returns the version that goes with it, so that the
   * server's draft ends when it is accepted
   */
  hand(mode: Mode): number {
    clearTimeout(this.#timers[mode]);
    // A save that is under way makes one more.
    return Math.max(0, this.#kept[mode].version) + (this.#saving[mode] ? 1 : 0);
  }

  /** What was written has left the field. @param version as it was handed out */
  sent(mode: Mode, version: number): void {
    this.#keep(mode, { ...emptyDraft, version, ahead: false });
  }

  saved(mode: Mode): Saved {
    const kept = this.#kept[mode];
    if (isEmpty(kept)) return 'nothing';
    if (this.#failed[mode]) return 'here';
    return kept.ahead ? 'saving' : 'saved';
  }

  get mode(): Mode {
    const chosen = readStored<Mode>(`${this.#name}.mode`);
    if (chosen !== null) return chosen;
    return isEmpty(this.#kept.reply) && !isEmpty(this.#kept.note) ? 'note' : 'reply';
  }

  set mode(mode: Mode) {
    writeStored(`${this.#name}.mode`, mode);
  }

  /** Grows when another browser's draft took the place of this one's. */
  readonly revision = () => this.#revision;

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Keeps up with the server until it is told to stop. */
  start(): () => void {
    const load = () => {
      for (const mode of modes) {
        if (this.#kept[mode].ahead) this.#later(mode, pause.key);
        this.#load(mode).catch(() => {});
      }
    };
    load();
    const forget = socket(currentMode()).on('connected', load);
    const stop = follow<News>(subscription, {}, ({ type, conversation, object: { mode, version = 0 } }) => {
      if (type !== 'draft.updated' || conversation !== this.#conversation || mode === undefined) return;
      if (version > this.#kept[mode].version) this.#load(mode).catch(() => {});
    });
    const hide = () => {
      if (document.visibilityState === 'hidden') this.flush();
    };
    document.addEventListener('visibilitychange', hide);
    return () => {
      document.removeEventListener('visibilitychange', hide);
      forget();
      stop();
      this.flush();
    };
  }

  #keep(mode: Mode, kept: Kept): void {
    this.#kept[mode] = kept;
    // A version is worth keeping as long as the server may still have the text that was sent.
    writeStored(`${this.#name}.${mode}`, isEmpty(kept) && kept.version <= 0 ? null : kept);
    for (const listener of this.#listeners) listener();
  }

  #later(mode: Mode, milliseconds: number): void {
    clearTimeout(this.#timers[mode]);
    this.#timers[mode] = setTimeout(() => void this.#save(mode), milliseconds);
  }

  async #save(mode: Mode): Promise<void> {
    clearTimeout(this.#timers[mode]);
    // Another service mode has other conversations; this one's are kept here until it is back.
    if (currentMode() !== this.#service) return;
    // One after the other: the answer has the version of the next.
    if (this.#saving[mode]) return this.#later(mode, pause.key);
    this.#saving[mode] = true;
    try {
      if (this.#kept[mode].version < 0) await this.#load(mode);
      const draft = this.#kept[mode];
      if (!draft.ahead) return;
      const version = await saveDraft(this.#conversation, mode, draft.version, draft);
      const now = this.#kept[mode];
      this.#failed[mode] = false;
      // What was written meanwhile is saved by its own timer.
      this.#keep(mode, {
        ...now,
        version: Math.max(now.version, version),
        ahead: now !== draft && now.ahead,
      });
    } catch (error) {
      await this.#retry(mode, failureOf(error).code);
    } finally {
      this.#saving[mode] = false;
    }
  }

  async #retry(mode: Mode, code: string): Promise<void> {
    this.#failed[mode] = code !== 'conflict';
    if (code === 'conflict') {
      // Whoever writes goes on from what was saved elsewhere meanwhile.
      const told = await loadDraft(this.#conversation, mode).catch(() => null);
      if (told) this.#keep(mode, { ...this.#kept[mode], version: told.version });
    } else this.#keep(mode, this.#kept[mode]);
    const final = code === 'validation_failed' || code === 'not_found' || code === 'forbidden';
    if (!final && this.#kept[mode].ahead) this.#later(mode, code === 'conflict' ? pause.key : pause.failure);
  }

  /** Takes the server's draft over, unless this browser has one that is newer. */
  async #load(mode: Mode): Promise<void> {
    const told = await loadDraft(this.#conversation, mode);
    const draft = await draftOf(told);
    const now = this.#kept[mode];
    if (told.version <= now.version) return;
    if (now.ahead) {
      this.#keep(mode, { ...now, version: told.version });
      return this.#later(mode, pause.key);
    }
    this.#revision += 1;
    this.#keep(mode, { ...draft, version: told.version, ahead: false });
  }
}
