import { domainToASCII } from 'node:url';
import { limits } from '../../schema/common.ts';

/** An address in the one spelling that identifies a customer: lower case, its domain in ASCII; null for no address. */
export function normalAddress(text: string): string | null {
  const address = text.trim().toLowerCase();
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, at), domainToASCII(address.slice(at + 1))];
  // Whatever would end an address in a header is in none.
  if (at < 1 || domain === '' || /[\s\p{Cc}<>()[\],;:\\"@]/u.test(local) || !local.isWellFormed())
    return null;
  const normal = `${local}@${domain}`;
  return [...normal].length <= limits.email ? normal : null;
}
