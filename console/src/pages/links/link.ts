import type { Schemas } from '../../api/client';

export type Link = Schemas['ShortUrlResponse'];

/** `go.example.com/spring`. */
export function addressOf({ link }: Pick<Link, 'link'>): string {
  return link.replace(/^https?:\/\//, '');
}

/** The alias or code, which is the last part of the address. */
export function codeOf({ link }: Pick<Link, 'link'>): string {
  return decodeURIComponent(link.slice(link.lastIndexOf('/') + 1));
}

export type LinkState = 'blocked' | 'off' | 'expired' | 'usedUp' | 'scheduled' | 'archived' | 'active';

/** What visitors meet, in the order in which the service decides. */
export function stateOf(link: Link): LinkState {
  const now = Date.now();
  if (link.disabledReason !== null) return 'blocked';
  if (!link.enabled) return 'off';
  if (link.startsAt !== null && Date.parse(link.startsAt) > now) return 'scheduled';
  if (link.expiresAt !== null && Date.parse(link.expiresAt) <= now) return 'expired';
  if (link.maxClicks !== null && (link.usedClicks ?? 0) >= link.maxClicks) return 'usedUp';
  return link.archived ? 'archived' : 'active';
}
