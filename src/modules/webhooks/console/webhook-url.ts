import { isIP } from 'node:net';
import { isUrl } from '../../../common/host-name';
import { isPublicAddress } from '../../../common/outgoing/public-address';

/**
 * What is wrong with the URL of a receiver, in words that follow the field's name; null when nothing is. Names are
 * looked up when they are called, and checked then.
 * @param anywhere OUTBOUND_ALLOW_PRIVATE: any address and port, and http
 */
export function receiverProblem(text: string, anywhere: boolean): string | null {
  if (/[\s\\]/.test(text) || !isUrl(text)) return 'must be a valid URL that starts with https://';
  const { protocol, port, username, password, hostname, hash } = new URL(text);
  if (protocol !== 'https:' && !(anywhere && protocol === 'http:')) {
    return 'must be a valid URL that starts with https://';
  }
  if (username !== '' || password !== '') return 'must not have a user name or password';
  if (hash !== '') return 'must not have a fragment';
  if (anywhere) return null;
  if (port !== '') return 'must be on port 443';
  const host = hostname.replace(/^\[|\]$/g, '');
  const local = /(?:^|\.)localhost\.?$/.test(host) || (isIP(host) !== 0 && !isPublicAddress(host));
  return local ? 'must not be a private, local or reserved address' : null;
}
