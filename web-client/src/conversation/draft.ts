import type { MessageMedia, ReplySnippet } from '../../../schema/entries.ts';
import { currentMode } from '../app/mode.ts';
import { readStored, writeStored } from './stored.ts';

export type Mode = 'reply' | 'note';

/** What is written and not sent. */
export interface Draft {
  text: string;
  media: MessageMedia[];
  replyTo: ReplySnippet | null;
  mentions: { name: string; email: string }[];
}

export const emptyDraft: Draft = { text: '', media: [], replyTo: null, mentions: [] };

/** The agent's draft of a conversation, as this browser keeps it; each service mode has its own. */
export class DraftStore {
  readonly #name: string;

  constructor(agent: string, conversation: string) {
    this.#name = `draft.${currentMode()}.${agent}.${conversation}`;
  }

  read(mode: Mode): Draft {
    return { ...emptyDraft, ...readStored<Partial<Draft>>(`${this.#name}.${mode}`) };
  }

  write(mode: Mode, draft: Draft): void {
    const empty = draft.text === '' && draft.media.length === 0 && draft.replyTo === null;
    writeStored(`${this.#name}.${mode}`, empty ? null : draft);
  }

  get mode(): Mode {
    return readStored<Mode>(`${this.#name}.mode`) === 'note' ? 'note' : 'reply';
  }

  set mode(mode: Mode) {
    writeStored(`${this.#name}.mode`, mode === 'reply' ? null : mode);
  }
}
