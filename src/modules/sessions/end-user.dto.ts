import type { AppKeyKind } from '../../access/caller';
import { addressIn, normalizeIp } from '../../access/client-ip';
import { atom, type AtomOptions } from '../../common/validation/atom';
import { CutText } from '../../common/validation/atoms';
import { storedDevice } from './stored-device';
import type { DeviceInfo } from './session';

/** Characters of an IPv6 address with port and surrounding white space. */
const MAX_ADDRESS = 64;

export function IpAddress(options: AtomOptions): PropertyDecorator {
  const check = (value: unknown) =>
    typeof value === 'string' && value.length <= MAX_ADDRESS && addressIn(value) !== null
      ? null
      : 'must be an IPv4 or IPv6 address';
  return atom('ipAddress', check, { type: String, maxLength: MAX_ADDRESS }, options);
}

/** Fields with which a server relays calls of end users (docs/native-apps.md#your-server). */
export class EndUserFields {
  @IpAddress({
    optional: true,
    description:
      'IP address of the end user, if a server relays the call. It determines the country, the visitor and ' +
      'de-duplication. Default: the IP address of the request. VALIDATION_FAILED with the publishable key. Stored only as ' +
      'a keyed hash',
    example: '203.0.113.7',
  })
  ipAddress?: string | null;

  @CutText({
    optional: true,
    max: 2000,
    description: 'User agent of the end user, if a server relays the call',
    example: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148',
  })
  userAgent?: string | null;
}

/** An app as the caller, on behalf of an end user. */
export type Relayed<Caller> = Caller & {
  /** IP address of the end user, if the app sends it. */
  userIp: string | null;
  /** IP address of the relaying server; null if the call is not relayed. */
  relay: string | null;
};

/** With the publishable key, nobody relays: the caller is the end user. */
export function forEndUser<Caller extends { ip: string; key: AppKeyKind }>(
  app: Caller,
  { ipAddress }: EndUserFields,
): Relayed<Caller> {
  if (app.key === 'publishable') return { ...app, userIp: app.ip, relay: null };
  const userIp = ipAddress ? normalizeIp(ipAddress) : null;
  return { ...app, ip: userIp ?? app.ip, userIp, relay: userIp === null ? null : app.ip };
}

/** The stored fields of an end user's device, completed from the user agent that the app sends. */
export function withUserAgent(
  device: DeviceInfo | null | undefined,
  { userAgent }: EndUserFields,
): DeviceInfo | null {
  if (!userAgent) return device ? storedDevice(device) : null;
  return storedDevice({ ...device, userAgent: device?.userAgent || userAgent });
}
