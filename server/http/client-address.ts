import type { IncomingMessage } from 'node:http';
import proxyAddr from 'proxy-addr';

/** The client's address of a request that Express never sees, by the same rule as `request.ip`. */
export function clientAddress(trustProxy: number | string[]): (request: IncomingMessage) => string {
  const trusted =
    typeof trustProxy === 'number'
      ? (_address: string, hop: number) => hop < trustProxy
      : proxyAddr.compile(trustProxy);
  return (request) => proxyAddr(request, trusted);
}
