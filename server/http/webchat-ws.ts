import type { IncomingMessage } from 'node:http';
import type { App } from './app.ts';
import type { Door } from './graphql-ws.ts';
import { sameOrigin } from './origin.ts';
import type { Webchat } from './webchat.ts';

const path = /^\/webchat\/(\w{26})\/graphql$/;

/** Visitors' sockets: `/webchat/{channel}/graphql`, from pages that the channel allows, with a visitor's token. */
export function visitorsDoor(app: App, webchat: Webchat): Door {
  return {
    matches: (asked) => path.test(asked),
    engine: webchat.engine,
    async admitsPage(request, named) {
      const { origin } = request.headers;
      const own = origin !== undefined && sameOrigin(app, request) ? origin : '';
      return named && (await webchat.allows(channelIn(request), origin, own)) === true;
    },
    identify: ({ authorization, request }) => webchat.authenticate(channelIn(request), authorization),
  };
}

function channelIn({ url = '' }: IncomingMessage): string {
  return path.exec(url.split('?')[0] ?? '')?.[1] ?? '';
}
