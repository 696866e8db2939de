import type { Answer } from './client.ts';
import type { TestCompany } from './server.ts';

/** The password of owners that `company()` makes. */
export const ownerPassword = 'correct horse battery';

/** Talks to a server as a page of the dashboard does: with a cookie and the headers that a browser adds. */
export class Page {
  readonly url: string;
  readonly cookies = new Map<string, string>();
  mode: 'live' | 'test' = 'live';

  constructor(url: string) {
    this.url = url;
  }

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      body: body === undefined ? null : JSON.stringify(body),
      headers: {
        'Sec-Fetch-Site': 'same-origin',
        Origin: this.url,
        'X-Service-Mode': this.mode,
        ...(this.cookies.size > 0 ? { Cookie: this.cookie } : {}),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
    });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text.startsWith('{') ? JSON.parse(text) : undefined,
    };
  }

  /** A step of `/auth`. */
  step(path: string, body: object = {}, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('POST', `/auth${path}`, body, headers);
  }

  signIn(email: string, password: string = ownerPassword): Promise<Answer> {
    return this.step('/sign-in', { email, password });
  }

  /** Sends GraphQL as the explorer does: with the key of the session. */
  async graphql(query: string, variables: object = {}): Promise<Answer> {
    const headers = { Authorization: `Bearer ${await this.graphqlKey()}` };
    return this.send('POST', '/graphql', { query, variables }, headers);
  }

  /** The key with which the explorer sends documents that the dashboard does not ship. */
  async graphqlKey(): Promise<string> {
    return (await this.step('/graphql-key')).body.data.key;
  }

  query(name: string, input: object = {}, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send(
      'GET',
      `/trpc/${name}?input=${encodeURIComponent(JSON.stringify(input))}`,
      undefined,
      headers,
    );
  }

  mutate(name: string, input: object = {}, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('POST', `/trpc/${name}`, input, headers);
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split(';');
    const at = pair.indexOf('=');
    const gone = attributes.some((attribute) => /^\s*max-age=0$/i.test(attribute));
    if (gone) this.cookies.delete(pair.slice(0, at));
    else this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
  }
}

/** A page where the company's Owner is signed in. */
export async function ownerPage(url: string, { owner }: TestCompany): Promise<Page> {
  const page = new Page(url);
  const answer = await page.signIn(owner.email);
  if (answer.status !== 200) throw new Error(`Not signed in: ${answer.text}`);
  return page;
}
