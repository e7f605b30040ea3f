import { hash } from 'node:crypto';
import { uuidV8 } from '../../common/uuid';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The id of the session that an app calls by this name. SDKs on phones name sessions as they like: what is no UUID
 * stands for one, always the same, and another in every app.
 */
export function sessionIdOf(appId: number, name: string): string {
  if (UUID.test(name)) return name.toLowerCase();
  return uuidV8(hash('sha256', `${appId}\n${name}`, 'buffer'));
}
