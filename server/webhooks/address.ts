import dns from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The operator's exceptions: networks whose every port is open, and plain http. */
export interface AddressPolicy {
  allowCidrs: readonly string[];
  allowHttp: boolean;
  /** Whether a URL is the receiver in our own house. */
  isOurs?(url: string): boolean;
}

/** For the receiver in our own house, wherever we are. */
export const ownReceiver: AddressPolicy = { allowCidrs: ['0.0.0.0/0', '::/0'], allowHttp: true };

/** What may be reached at this URL: our own receiver wherever we are, and what the operator says for all others. */
export function policyFor(url: string, policy: AddressPolicy): AddressPolicy {
  return policy.isOurs?.(url) ? ownReceiver : policy;
}

/** A URL or address that webhooks may not be sent to. The message may be shown to whoever gave the URL. */
export class AddressRefused extends Error {
  readonly code = 'EREFUSED_ADDRESS';

  constructor(message: string) {
    super(message);
    this.name = 'AddressRefused';
  }
}

/** All addresses of a name, or an error with a code of `node:dns`. */
export type Resolve = (hostname: string) => Promise<string[]>;

const maximumLength = 2048;
const publicPorts: ReadonlySet<number> = new Set([443, 8443]);

/**
 * Reads a receiver's URL by the rules that need no network: https (http only with the operator's leave), no user
 * name, at most 2,048 characters, and, when the host is an address, one that is allowed.
 * @throws AddressRefused
 */
export function parseTarget(text: string, policy: AddressPolicy): URL {
  if ([...text].length > maximumLength) throw new AddressRefused('Must have at most 2048 characters.');
  const url = URL.parse(text);
  if (!url) throw new AddressRefused('Must be a URL.');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && policy.allowHttp))
    throw new AddressRefused('Must be an https URL.');
  if (url.username !== '' || url.password !== '')
    throw new AddressRefused('Must have no user name or password in it.');
  const literal = literalOf(url);
  if (literal !== null) requireAllowed(literal, portOf(url), policy);
  else if (policy.allowCidrs.length === 0 && !publicPorts.has(portOf(url)))
    throw new AddressRefused(portRule);
  return url;
}

/**
 * Resolves the host. Where the operator opened a network, only its addresses count; else all of them must be public.
 * The same check runs when a URL is saved and whenever a connection is made, and the connection goes to the very
 * addresses that were checked.
 * @throws AddressRefused, or the resolver's error
 */
export async function allowedAddresses(
  hostname: string,
  port: number,
  policy: AddressPolicy,
  resolve: Resolve = systemResolve,
): Promise<string[]> {
  const addresses = isIP(hostname) === 0 ? await resolve(hostname) : [hostname];
  const opened = addresses.filter((address) => isOpened(ipaddr.process(address), policy));
  if (opened.length > 0) return opened;
  for (const address of addresses) requireAllowed(address, port, policy);
  return addresses;
}

/** `allowedAddresses` as the `lookup` of a connection to `port`. Node never asks it for an address literal. */
export function guardedLookup(port: number, policy: AddressPolicy, resolve?: Resolve): LookupFunction {
  return (hostname, { all }, callback) => {
    allowedAddresses(hostname, port, policy, resolve)
      .then((addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }));
        const [first] = found;
        if (all) return callback(null, found);
        if (first) return callback(null, first.address, first.family);
        throw Object.assign(new Error('No address.'), { code: 'ENOTFOUND' });
      })
      .catch((error: NodeJS.ErrnoException) => callback(error, '', 0));
  };
}

export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

/** The address that a URL's host spells, or null for a name. The URL parser has read decimal, hex and octal. */
function literalOf({ hostname }: URL): string | null {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? null : bare;
}

const portRule = 'Must use port 443 or 8443.';

function requireAllowed(address: string, port: number, policy: AddressPolicy): void {
  const parsed = ipaddr.process(address);
  if (isOpened(parsed, policy)) return;
  if (!isPublic(parsed)) throw new AddressRefused('Must not lead to a private or reserved network.');
  if (!publicPorts.has(port)) throw new AddressRefused(portRule);
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

function isOpened(address: Address, { allowCidrs }: AddressPolicy): boolean {
  return allowCidrs.some((cidr) => isWithin(address, cidr));
}

/** IPv6 also outside of 2000::/3 counts as unicast for the library: IPv4-compatible addresses among them. */
function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(globalUnicast);
}

const globalUnicast = ipaddr.parseCIDR('2000::/3');

function isWithin(address: Address, cidr: string): boolean {
  const [network, bits] = networkOf(cidr);
  return network.kind() === address.kind() && address.match(network, bits);
}

/** The operator's few networks are read once. */
const networks = new Map<string, [Address, number]>();

function networkOf(cidr: string): [Address, number] {
  const known = networks.get(cidr);
  if (known) return known;
  const full = cidr.includes('/') ? cidr : `${cidr}/${isIP(cidr) === 4 ? 32 : 128}`;
  const network = ipaddr.parseCIDR(full);
  networks.set(cidr, network);
  return network;
}

const resolver = new dns.promises.Resolver({ timeout: 1_500, tries: 2 });
const unanswered: ReadonlySet<string> = new Set(['ETIMEOUT', 'ETIMEDOUT', 'ESERVFAIL']);

/**
 * Asks the name servers without the thread pool, where a few dead domains would hold up every file and password of
 * this process; what they don't know may stand in the hosts file or a search domain.
 */
async function systemResolve(hostname: string): Promise<string[]> {
  // By its definition (RFC 6761); some resolvers don't know it with the final dot.
  if (/(^|\.)localhost\.?$/.test(hostname)) return ['127.0.0.1', '::1'];
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length > 0) return addresses;
  for (const answer of answers) {
    if (answer.status === 'rejected' && unanswered.has((answer.reason as NodeJS.ErrnoException).code ?? ''))
      throw answer.reason;
  }
  const found = await dns.promises.lookup(hostname, { all: true });
  return found.map(({ address }) => address);
}
