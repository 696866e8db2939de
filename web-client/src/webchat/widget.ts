import { Api } from './api.ts';
import { Chat } from './chat.ts';
import { Refusal } from './link.ts';
import { Store } from './store.ts';
import type { Appearance, User } from './types.ts';
import { ChatWindow } from './window.ts';

declare global {
  interface Window {
    /** For the page: there once `parlour:ready` was dispatched on the window. */
    parlourChat?: {
      open(): void;
      close(): void;
      toggle(): void;
      /** Goes on as a user of the page. Rejects when the signature is wrong. */
      identify(user: User): Promise<void>;
      /** Forgets the session on this device. */
      logout(): void;
    };
  }
}

/** The page's own `<script>`; a tag manager may have put it there in its own way. */
const script =
  document.currentScript instanceof HTMLScriptElement
    ? document.currentScript
    : document.querySelector<HTMLScriptElement>('script[data-channel][src*="/webchat/widget.js"]');

/** Milliseconds until the server is asked again, doubling. */
const retry = { first: 2_000, most: 60_000 };

async function appearanceFrom(api: Api, locale: string): Promise<Appearance | null> {
  for (let delay = retry.first; ; delay = Math.min(delay * 2, retry.most)) {
    try {
      return await api.appearance(locale);
    } catch (error) {
      if (error instanceof Refusal && error.code !== 'server_error') {
        // The page's owner looks there, and nobody else is helped.
        // oxlint-disable-next-line no-console
        console.warn(`Parlour web chat: ${error.message}`);
        return null;
      }
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
}

/** Whom the page's server vouches for, in the attributes of the script. */
function userIn({ userId: id, userHash: hash, userEmail: email, userName: name }: DOMStringMap): User | null {
  return id && hash ? { id, hash, email: email || undefined, name: name || undefined } : null;
}

async function begin({ src, dataset }: HTMLScriptElement): Promise<void> {
  const { channel = '', locale } = dataset;
  const api = new Api(
    new URL(src).origin + new URL(src).pathname.replace(/\/webchat\/widget\.js$/, ''),
    channel,
  );
  const look = await appearanceFrom(
    api,
    locale ?? (document.documentElement.lang || navigator.languages.join(',')),
  );
  if (!look) return;
  const store = new Store(channel);
  let redraw = (): void => {};
  const chat = new Chat(api, store, () => redraw());
  const shown = new ChatWindow(look, chat, store);
  redraw = shown.changed;

  const identify = (user: User) => chat.start({ user });
  const user = userIn(dataset);
  const before = store.kept.user;
  if (!user && before !== undefined && dataset['userId'] !== undefined) chat.forget();
  if (user && before !== `${user.id} ${user.hash}`) {
    identify(user).catch((error: unknown) => {
      // oxlint-disable-next-line no-console
      console.warn('Parlour web chat: the user was not accepted.', error);
    });
  } else chat.resume();
  if (store.kept.open && !matchMedia('(max-width: 30rem)').matches) shown.open(false);

  window.parlourChat = {
    open: () => shown.open(),
    close: () => shown.close(),
    toggle: () => shown.toggle(),
    identify,
    logout: () => chat.forget(),
  };
  window.dispatchEvent(new Event('parlour:ready'));
}

function start(): void {
  if (script && window.parlourChat === undefined) void begin(script);
}

if (document.body) start();
else document.addEventListener('DOMContentLoaded', start);
