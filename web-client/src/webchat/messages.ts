import type { Chat } from './chat.ts';
import { fill, h, icon, linked } from './dom.ts';
import type { Appearance, Draft, Media, Message } from './types.ts';

/** The list of messages. An element stays the same for as long as its message is there, so nothing flickers. */
export class MessageList {
  readonly element: HTMLElement;
  readonly #list: HTMLElement;
  readonly #typing: HTMLElement;
  readonly #older: HTMLButtonElement;
  readonly #look: Appearance;
  readonly #chat: Chat;
  #pinned = true;
  readonly #shown = new Map<string, { element: HTMLElement; as: string }>();
  readonly #time: Intl.DateTimeFormat;
  readonly #day: Intl.DateTimeFormat;

  constructor(look: Appearance, chat: Chat) {
    const { texts, locale } = look;
    this.#look = look;
    this.#chat = chat;
    this.#time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
    this.#day = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' });
    this.#older = h(
      'button',
      { type: 'button', class: 'older', onclick: () => void this.#load() },
      texts.older,
    );
    this.#list = h('ol', {});
    this.#typing = h('p', { class: 'typing', hidden: true }, h('i'), h('span'));
    const greeting = h('div', { class: 'greeting' }, texts.greeting);
    // New messages are read out by the window's own status line: this one would read the whole history too.
    this.element = h(
      'div',
      { class: 'log', role: 'log', 'aria-live': 'off', 'aria-label': texts.log, tabindex: 0 },
      this.#older,
      greeting,
      this.#list,
      this.#typing,
    );
    this.#stayAtEnd();
  }

  /** What grows later, as a picture does, keeps the end in sight of whoever was there. */
  #stayAtEnd(): void {
    const grown = new ResizeObserver(() => {
      if (this.#pinned) this.toEnd();
    });
    grown.observe(this.#list);
    grown.observe(this.element);
    let top = 0;
    const scrolled = () => {
      const { scrollTop } = this.element;
      // Only who goes up leaves the end: that there is more below is no wish to stay.
      if (this.atEnd) this.#pinned = true;
      else if (scrollTop < top) this.#pinned = false;
      top = scrollTop;
    };
    this.element.addEventListener('scroll', scrolled, { passive: true });
  }

  /** Whether the newest message is on the screen. */
  get atEnd(): boolean {
    const { scrollHeight, scrollTop, clientHeight } = this.element;
    return scrollHeight - scrollTop - clientHeight < 60;
  }

  toEnd(): void {
    this.#pinned = true;
    this.element.scrollTop = this.element.scrollHeight;
  }

  async #load(): Promise<void> {
    const before = this.element.scrollHeight - this.element.scrollTop;
    await this.#chat.older().catch(() => {});
    this.element.scrollTop = this.element.scrollHeight - before;
    if (!this.#chat.hasMore) this.element.focus();
  }

  render(): void {
    const { messages, drafts, hasMore, typing } = this.#chat;
    this.#older.hidden = !hasMore;
    const wanted = [...this.#rows(messages), ...drafts.map((draft) => this.#draft(draft))];
    const keys = new Set(wanted.map(({ key }) => key));
    for (const [key, { element }] of this.#shown)
      if (!keys.has(key)) {
        element.remove();
        this.#shown.delete(key);
      }
    let place = this.#list.firstElementChild;
    for (const { key, as, make } of wanted) {
      const known = this.#shown.get(key);
      const element = known?.as === as ? known.element : make();
      if (known && element !== known.element) {
        if (place === known.element) place = element;
        known.element.replaceWith(element);
      }
      this.#shown.set(key, { element, as });
      if (place === element) place = element.nextElementSibling;
      else this.#list.insertBefore(element, place);
    }
    this.#typing.hidden = typing === null;
    const name = typing === '' ? this.#look.texts.team : (typing ?? '');
    if (this.#typing.lastElementChild)
      this.#typing.lastElementChild.textContent = fill(this.#look.texts.typing, { name });
    if (this.#pinned) this.toEnd();
  }

  #rows(messages: readonly Message[]) {
    const { texts } = this.#look;
    const last = messages.at(-1);
    return messages.map((message, index) => {
      const before = messages[index - 1];
      const day = this.#day.format(new Date(message.at));
      const newDay = !before || this.#day.format(new Date(before.at)) !== day;
      const author = message.fromVisitor ? texts.you : this.#authorOf(message);
      const first =
        newDay ||
        before.fromVisitor !== message.fromVisitor ||
        this.#authorOf(before) !== this.#authorOf(message);
      const mark = message.fromVisitor && message === last && this.#chat.drafts.length === 0;
      const note = mark ? (this.#chat.seen ? texts.seen : texts.sent) : '';
      const parts = { message, author, day: newDay ? day : '', first, note };
      const as = JSON.stringify([message.id, message.text, parts.day, first, note, message.media?.url]);
      return { key: message.clientId ?? message.id, as, make: () => this.#row(parts) };
    });
  }

  #authorOf({ author, automated, fromVisitor }: Message): string {
    const { texts } = this.#look;
    if (fromVisitor) return '';
    return author ?? (automated ? texts.assistant : texts.team);
  }

  #row(parts: { message: Message; author: string; day: string; first: boolean; note: string }): HTMLElement {
    const { message, author, day, first, note } = parts;
    const at = new Date(message.at);
    const initial = [...author][0]?.toUpperCase() ?? '';
    return h(
      'li',
      { class: `${message.fromVisitor ? 'own' : 'team'}${first ? ' first' : ''}` },
      day !== '' && h('p', { class: 'day' }, day),
      !message.fromVisitor && first && h('span', { class: 'avatar', 'aria-hidden': 'true' }, initial),
      h(
        'p',
        { class: first && !message.fromVisitor ? 'by' : 'by hidden' },
        author,
        ' ',
        h('time', { datetime: message.at }, this.#time.format(at)),
      ),
      this.#bubble(message.text, message.media),
      note !== '' && h('p', { class: 'note' }, `${note} · ${this.#time.format(at)}`),
    );
  }

  #draft(draft: Draft) {
    const { texts } = this.#look;
    const { clientId, text, media, file, refused } = draft;
    const sending = file ? fill(texts.uploading, { name: file.name }) : texts.sending;
    const note = refused === undefined ? sending : fill(texts.failed, { reason: this.reasonOf(refused) });
    const make = () =>
      h(
        'li',
        { class: `own first draft${refused === undefined ? '' : ' refused'}` },
        h('p', { class: 'by hidden' }, texts.you),
        this.#bubble(
          text,
          media ?? (file ? { url: '', kind: 'document', size: file.size, filename: file.name } : null),
        ),
        h('p', { class: 'note' }, note),
        refused !== undefined &&
          h(
            'p',
            { class: 'actions' },
            h('button', { type: 'button', onclick: () => this.#chat.retry(draft) }, texts.retry),
            h('button', { type: 'button', onclick: () => this.#chat.discard(draft) }, texts.remove),
          ),
      );
    return { key: clientId, as: JSON.stringify([note, media?.url, refused]), make };
  }

  /** Why the server refused a message, in the visitor's words. */
  reasonOf(code: string): string {
    const { texts, max_file_bytes: most } = this.#look;
    if (code === 'payload_too_large') return fill(texts.tooLarge, { size: this.size(most) });
    if (code === 'validation_failed') return texts.unsupported;
    return code === 'rate_limited' ? texts.tooMany : texts.offline;
  }

  size(bytes: number): string {
    const [unit, by] = bytes < 1_048_576 ? (['kilobyte', 1024] as const) : (['megabyte', 1_048_576] as const);
    const options = { style: 'unit', unit, maximumFractionDigits: 1 } as const;
    return new Intl.NumberFormat(this.#look.locale, options).format(Math.max(bytes / by, 0.1));
  }

  #bubble(text: string | null, media: Media | null): HTMLElement {
    const { newTab } = this.#look.texts;
    return h(
      'div',
      { class: 'bubble' },
      media && this.#media(media),
      text !== null && text !== '' && h('p', { dir: 'auto' }, ...linked(text, newTab)),
    );
  }

  #media(media: Media): HTMLElement {
    const { url, kind, filename, size } = media;
    const name = h('span', {}, h('b', {}, filename), ` ${this.size(size)}`);
    if (url === '') return h('span', { class: 'file' }, icon('file'), name);
    const link = h('a', {
      class: 'file',
      href: url,
      target: '_blank',
      rel: 'noopener noreferrer',
      title: this.#look.texts.newTab,
    });
    const asFile = () => {
      link.className = 'file';
      link.replaceChildren(icon('file'), name);
    };
    asFile();
    if (kind !== 'image' && kind !== 'sticker') return link;
    // A page whose policy has no room for our pictures shows their names.
    const picture = h('img', { src: url, alt: filename, onerror: asFile });
    link.className = 'picture';
    link.replaceChildren(picture);
    return link;
  }
}
