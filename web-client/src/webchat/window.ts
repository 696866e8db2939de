import type { Chat } from './chat.ts';
import { Composer } from './composer.ts';
import { fill, h, icon, onColor, set } from './dom.ts';
import { introduction } from './form.ts';
import { MessageList } from './messages.ts';
import type { Store } from './store.ts';
import css from './widget.css?inline';
import type { Appearance, Message } from './types.ts';

/** A break in the connection is told after so many milliseconds: most are over before. */
const patience = 3_000;

/** The launcher and the window, in a tree of their own that the page's styles don't reach. */
export class ChatWindow {
  readonly #look: Appearance;
  readonly #chat: Chat;
  readonly #store: Store;
  readonly #host = document.createElement('div');
  readonly #launcher: HTMLButtonElement;
  readonly #badge = h('span', { class: 'badge', 'aria-hidden': 'true', hidden: true });
  readonly #window: HTMLElement;
  readonly #body = h('div', { class: 'body' });
  readonly #connection: HTMLElement;
  /** Read out: answers, and what can only be seen otherwise. */
  readonly #status = h('p', { class: 'hidden', role: 'status' });
  readonly #list: MessageList;
  readonly #composer: Composer;
  #form: HTMLFormElement | null = null;
  #open = false;
  #scheduled = false;
  #lostAt = 0;

  constructor(look: Appearance, chat: Chat, store: Store) {
    const { texts } = look;
    this.#look = look;
    this.#chat = chat;
    this.#store = store;
    this.#list = new MessageList(look, chat);
    this.#list.element.addEventListener('scroll', () => this.#markRead(), { passive: true });
    this.#composer = new Composer(look, {
      send: (content) => {
        chat.send(content);
        this.#list.toEnd();
      },
      typing: (on) => chat.tellTyping(on),
      refuseFile: (code) => this.#say(this.#list.reasonOf(code), true),
    });
    this.#launcher = h(
      'button',
      {
        type: 'button',
        class: 'launcher',
        'aria-haspopup': 'dialog',
        'aria-expanded': 'false',
        onclick: () => this.toggle(),
      },
      icon('chat'),
      icon('down'),
      this.#badge,
    );
    this.#connection = h('p', { class: 'connection', hidden: true });
    const close = h(
      'button',
      {
        type: 'button',
        class: 'close',
        'aria-label': texts.close,
        title: texts.close,
        onclick: () => this.close(),
      },
      icon('close'),
    );
    this.#window = h(
      'div',
      { class: 'window', role: 'dialog', 'aria-labelledby': 'title', hidden: true },
      h('header', {}, h('h2', { id: 'title', tabindex: -1 }, texts.title), close),
      this.#connection,
      this.#body,
    );
    this.#window.addEventListener('keydown', (event) => this.#keyed(event));
    this.#mount();
    chat.arrived = (message) => this.#arrived(message);
    document.addEventListener('visibilitychange', () => this.#markRead());
  }

  #mount(): void {
    const { color, position, texts, locale } = this.#look;
    const root = this.#host.attachShadow({ mode: 'open' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`${css}:host{--color:${color};--on:${onColor(color)}}`);
    root.adoptedStyleSheets = [sheet];
    const dir = locale === 'ar' ? 'rtl' : 'ltr';
    const landmark = { 'aria-label': texts.title, class: position, lang: locale, dir };
    root.append(h('section', landmark, this.#launcher, this.#window, this.#status));
    document.body.append(this.#host);
    this.#render();
  }

  get isOpen(): boolean {
    return this.#open;
  }

  toggle(): void {
    if (this.#open) this.close();
    else this.open();
  }

  /** @param focus false when the window was open on the page before: nobody asked for the focus to move */
  open(focus = true): void {
    this.#open = true;
    this.#store.set({ open: true });
    this.#fillBody();
    this.#render();
    this.#list.toEnd();
    this.#markRead();
    if (!focus) return;
    // On a touch screen the keyboard would come up over what there is to read.
    const title = this.#window.querySelector('h2');
    const first = this.#form?.querySelector('input') ?? this.#composer.input;
    (matchMedia('(pointer: coarse)').matches ? title : first)?.focus();
  }

  close(): void {
    this.#open = false;
    this.#store.set({ open: false });
    this.#render();
    this.#launcher.focus();
  }

  /** Something has changed; drawn once, however much it was. */
  readonly changed = (): void => {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      this.#render();
      this.#markRead();
    });
  };

  /** The introduction, unless the visitor is known or nothing is asked. */
  #fillBody(): void {
    const { ask } = this.#look;
    const asked = (ask.name !== 'off' || ask.email !== 'off') && !this.#chat.started;
    if (asked && !this.#form) {
      this.#form = introduction(this.#look, async (who) => {
        await this.#chat.start(who);
        this.#fillBody();
        this.#composer.input.focus();
      });
      this.#body.replaceChildren(this.#form);
    } else if (!asked && (this.#form || !this.#body.firstChild)) {
      this.#form = null;
      this.#body.replaceChildren(this.#list.element, this.#composer.element);
    }
  }

  #render(): void {
    const { texts } = this.#look;
    const { unread, state } = this.#chat;
    this.#host.hidden = state === 'refused';
    if (this.#open) this.#fillBody();
    this.#window.hidden = !this.#open;
    set(this.#launcher, 'aria-expanded', this.#open ? 'true' : 'false');
    const name = this.#open ? texts.close : texts.open;
    const label = unread > 0 && !this.#open ? `${name}, ${fill(texts.unread, { n: unread })}` : name;
    set(this.#launcher, 'aria-label', label);
    this.#badge.hidden = unread === 0 || this.#open;
    this.#badge.textContent = unread > 9 ? '9+' : String(unread);
    set(this.#window, 'aria-modal', this.#covers() ? 'true' : null);
    this.#list.render();
    this.#renderConnection();
  }

  #renderConnection(): void {
    const { texts } = this.#look;
    const lost = this.#chat.state === 'connecting';
    if (!lost) this.#lostAt = 0;
    else if (this.#lostAt === 0) {
      this.#lostAt = Date.now();
      setTimeout(this.changed, patience);
    }
    const told = lost && Date.now() - this.#lostAt >= patience - 50;
    this.#connection.hidden = !told;
    this.#connection.textContent = navigator.onLine ? texts.connecting : texts.offline;
  }

  #markRead(): void {
    const seen = this.#open && !this.#form && document.visibilityState === 'visible' && this.#list.atEnd;
    if (seen) this.#chat.markRead();
  }

  #arrived({ author, automated, text, media }: Message): void {
    const { texts } = this.#look;
    const who = author ?? (automated ? texts.assistant : texts.team);
    this.#say(`${who}: ${text ?? media?.filename ?? ''}`);
  }

  #say(text: string, visibly = false): void {
    this.#status.textContent = text;
    this.#status.className = visibly ? 'toast' : 'hidden';
    if (visibly) setTimeout(() => (this.#status.className = 'hidden'), 6_000);
  }

  /** On a small screen the window is all there is. */
  #covers(): boolean {
    return this.#open && matchMedia('(max-width: 30rem)').matches;
  }

  /** Escape closes. Where the window covers the page, Tab stays inside. */
  #keyed(event: KeyboardEvent): void {
    if (event.key === 'Escape' && !event.isComposing) {
      event.stopPropagation();
      this.close();
    }
    if (event.key !== 'Tab' || !this.#covers()) return;
    const all = [
      ...this.#window.querySelectorAll<HTMLElement>('button, a[href], input, textarea, [tabindex="0"]'),
    ];
    const stops = all.filter((one) => one.checkVisibility() && one.tabIndex >= 0);
    const active = this.#host.shadowRoot?.activeElement;
    const [first, last] = [stops[0], stops.at(-1)];
    if (event.shiftKey ? active === first || active === this.#window.querySelector('h2') : active === last) {
      event.preventDefault();
      (event.shiftKey ? last : first)?.focus();
    }
  }
}
