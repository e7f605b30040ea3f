import { hash } from 'node:crypto';
import { uuidV8 } from '../../common/uuid';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The session id for a client's name of it. Mobile SDKs choose names: one that is not a UUID is mapped to a UUID,
 * deterministically and differently for each app.
 */
export function sessionIdOf(appId: number, name: string): string {
  if (UUID.test(name)) return name.toLowerCase();
  return uuidV8(hash('sha256', `${appId}\n${name}`, 'buffer'));
}
