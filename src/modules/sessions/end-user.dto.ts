import { isIP } from 'node:net';
import { normalizeIp } from '../../access/client-ip';
import { atom, type AtomOptions } from '../../common/validation/atom';
import { CutText } from '../../common/validation/atoms';
import { storedDevice } from './stored-device';
import type { DeviceInfo } from './session';

export function IpAddress(options: AtomOptions): PropertyDecorator {
  const check = (value: unknown) =>
    typeof value === 'string' && isIP(value) !== 0 ? null : 'must be an IPv4 or IPv6 address';
  return atom('ipAddress', check, { type: String, maxLength: 45 }, options);
}

/** Whom a server calls for: it relays the calls of its phones and browsers (docs/native-apps.md#your-server). */
export class EndUserFields {
  @IpAddress({
    optional: true,
    description:
      'Address of the person, for a server that relays the call: the country, the visitor and repeated clicks go by it. ' +
      'Without it, the address that the call comes from. Kept as a keyed hash only',
    example: '203.0.113.7',
  })
  ipAddress?: string | null;

  @CutText({
    optional: true,
    max: 2000,
    description: 'User agent of the person, for a server that relays the call',
    example: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148',
  })
  userAgent?: string | null;
}

/** The app as it calls for a person. */
export type Relayed<Caller> = Caller & {
  /** The person's address as the app tells it; null where it tells none. */
  userIp: string | null;
  /** Where the call comes from then. */
  relay: string | null;
};

export function forEndUser<Caller extends { ip: string }>(
  app: Caller,
  { ipAddress }: EndUserFields,
): Relayed<Caller> {
  const userIp = ipAddress ? normalizeIp(ipAddress) : null;
  return { ...app, ip: userIp ?? app.ip, userIp, relay: userIp === null ? null : app.ip };
}

/** The stored fields of a person's device, with the user agent that the app reports. */
export function withUserAgent(
  device: DeviceInfo | null | undefined,
  { userAgent }: EndUserFields,
): DeviceInfo | null {
  if (!userAgent) return device ? storedDevice(device) : null;
  return storedDevice({ ...device, userAgent: device?.userAgent || userAgent });
}
