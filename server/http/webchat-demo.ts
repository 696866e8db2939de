import { type Response, Router } from 'express';
import { queryOf } from './query.ts';

/** A page to try the widget on: `/webchat/demo?channel=ID`. Its policy is as strict as a careful shop's. */
export function demoRouter(firstChannel: () => Promise<string | null>): Router {
  const routes = Router({ caseSensitive: true, strict: true });
  routes.get('/demo', (request, response, next) => {
    const asked = queryOf(request).get('channel');
    const chosen = asked !== null && /^\w{26}$/.test(asked) ? Promise.resolve(asked) : firstChannel();
    chosen.then((channel) => send(response, 'text/html; charset=utf-8', page(channel)), next);
  });
  routes.get('/demo.css', (_request, response) => send(response, 'text/css; charset=utf-8', style));
  return routes;
}

function send(response: Response, type: string, body: string): void {
  response.setHeader('Content-Type', type);
  response.setHeader('Cache-Control', 'no-cache');
  response.end(body);
}

const goods = [
  ['Lamp “Foz”', 'Blown glass, brass foot', '€148'],
  ['Pendant “Ria”', 'Linen shade, 40 cm', '€96'],
  ['Candle “Sal”', 'Beeswax, burns 50 hours', '€18'],
] as const;

function page(channel: string | null): string {
  const widget =
    channel === null
      ? '<p role="status">There is no webchat channel yet: <code>npx parlour channels create --kind webchat</code></p>'
      : `<script src="/webchat/widget.js" data-channel="${channel}" async></script>`;
  const cards = goods.map(
    ([name, text, price]) => `<li><h2>${name}</h2><p>${text}</p><p class="price">${price}</p></li>`,
  );
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Casa Lume, a shop that is not there</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/webchat/demo.css" />
  </head>
  <body>
    <header><strong>Casa Lume</strong><a href="/webchat/demo?channel=${channel ?? ''}">Shop</a></header>
    <main>
      <h1>Light for quiet rooms</h1>
      <p>This page shows what the web chat looks like on somebody’s site. Write something; the answer comes from the
      inbox.</p>
      <ul>
        ${cards.join('\n        ')}
      </ul>
    </main>
    ${widget}
  </body>
</html>
`;
}

const style = `:root { color-scheme: light dark; font-family: Georgia, serif; line-height: 1.5; }
body { margin: 0; background: light-dark(#fbf8f3, #17140f); color: light-dark(#2b241a, #efe7da); }
header { display: flex; gap: 1.5rem; align-items: baseline; padding: 1rem 6vw; border-bottom: 1px solid light-dark(#e2d8c8, #3a3226); }
header strong { font-size: 1.25rem; margin-inline-end: auto; }
a { color: inherit; }
main { padding: 8vh 6vw; max-width: 64rem; }
h1 { font-size: clamp(2rem, 6vw, 3.5rem); line-height: 1.1; margin: 0 0 1rem; font-weight: 400; }
ul { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: 1rem; padding: 0; list-style: none; margin-top: 3rem; }
li { padding: 8rem 1.25rem 1.25rem; border-radius: 0.75rem; background: linear-gradient(light-dark(#f1dfbd, #5b4520), light-dark(#fffdf9, #211c14) 60%); }
li h2 { font-size: 1.125rem; margin: 0; }
li p { margin: 0.25rem 0; }
.price { font-weight: 700; }
`;
