import { type Command, InvalidArgumentError } from 'commander';
import { eventTypes } from '../../schema/events.ts';
import type { Event } from '../../schema/events.ts';
import { newId } from '../platform/ids.ts';
import { onStop } from '../platform/shutdown.ts';
import { eventBody } from '../webhooks/payload.ts';
import { newSecret, signedHeaders } from '../webhooks/signature.ts';
import { type Cli, CliError, type CommandGroup, exitCode } from './cli.ts';
import { companyContext, withApp } from './context.ts';

interface Options {
  company: string;
  events: string;
  forwardTo?: URL;
  secret?: string;
  count?: number;
}

/** How a receiver answered; null where nothing was forwarded. */
type Answer = { status: number } | { error: string } | null;

interface Heard {
  id: string;
  type: string;
  answer: Answer;
}

/** How long a receiver may take, in milliseconds. */
const patience = 15_000;

/**
 * `webhooks listen`: what happens in a company, as it happens, and to a server of one's own as if it were an endpoint.
 * Made for development: no endpoint is saved, nothing is tried again, and addresses of one's own machine are allowed.
 */
export const listenCommand = (webhooks: Command, cli: Parameters<CommandGroup>[1]): void => {
  webhooks
    .command('listen')
    .description('live events; with --forward-to each is posted there, signed, once. Ends with Ctrl-C')
    .requiredOption('--company <id>', 'id of the company')
    .option('--events <list>', 'comma-separated types, or * for all', '*')
    .option('--forward-to <url>', 'http or https, on any address', address)
    .option('--secret <secret>', 'what to sign with (default: a new one, printed)')
    .option('--count <n>', 'end after so many events', number)
    .action((options: Options) => listen(cli, options));
};

async function listen(cli: Cli, options: Options): Promise<void> {
  const wanted = typesOf(options.events);
  const secret = options.secret ?? newSecret();
  const heard: Heard[] = [];
  await withApp(cli, async (app) => {
    const { companyId } = await companyContext(app, options.company);
    const reader = await app.feed.join(
      companyId,
      (told) =>
        'entry' in told && told.entry.family !== 'webhook' && (wanted?.has(told.entry.event.type) ?? true),
    );
    onStop(() => reader.close());
    const told = options.forwardTo ? ` Forwarding to ${options.forwardTo.href}, signed with ${secret}.` : '';
    process.stderr.write(`Listening.${told}\n`);
    for (let next = await reader.next(); next; next = await reader.next()) {
      if (!('entry' in next)) continue;
      const { event, sequence } = next.entry;
      const answer = options.forwardTo
        ? await forward(options.forwardTo, event, eventBody(event, BigInt(sequence)), secret)
        : null;
      heard.push({ id: event.id, type: event.type, answer });
      if (!cli.json) cli.print(null, described(event, answer));
      if (heard.length === options.count) break;
    }
    reader.close();
  });
  if (cli.json) cli.print({ events: heard, ...(options.forwardTo ? { secret } : {}) }, '');
}

function typesOf(list: string): Set<string> | null {
  const types = list.split(',').map((type) => type.trim());
  if (types.includes('*')) return null;
  const unknown = types.filter((type) => !(eventTypes as readonly string[]).includes(type));
  if (unknown.length > 0) throw new CliError(`There is no event ${unknown.join(', ')}.`, exitCode.usage);
  return new Set(types);
}

async function forward(url: URL, event: Event, body: Buffer, secret: string): Promise<Answer> {
  const about = { eventId: event.id, eventType: event.type, deliveryId: newId(), attempt: 1, body };
  try {
    const response = await fetch(url, {
      method: 'POST',
      body: new Uint8Array(body),
      headers: signedHeaders(about, [secret], new Date()),
      redirect: 'manual',
      signal: AbortSignal.timeout(patience),
    });
    await response.body?.cancel();
    return { status: response.status };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { error: cause instanceof Error ? cause.message : String(cause) };
  }
}

function described({ id, type }: Event, answer: Answer): string {
  if (!answer) return `${type}  ${id}`;
  return `${type}  ${id}  ${'status' in answer ? answer.status : answer.error}`;
}

function address(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new InvalidArgumentError('Must be an http or https address.');
  return url;
}

function number(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Must be a whole number from 1 on.');
  return Number(text);
}
