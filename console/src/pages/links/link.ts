import type { Schemas } from '../../api/client';

export type Link = Schemas['ShortUrlResponse'];

/** `go.example.com/spring`. */
export function addressOf({ link }: Pick<Link, 'link'>): string {
  return link.replace(/^https?:\/\//, '');
}

/** What a link is called: its title, or its address. */
export function nameOf({ title, link }: Pick<Link, 'title' | 'link'>): string {
  return title ?? addressOf({ link });
}

/** The alias or code, which is the last part of the address. */
export function codeOf({ link }: Pick<Link, 'link'>): string {
  return decodeURIComponent(link.slice(link.lastIndexOf('/') + 1));
}

export type LinkState = 'blocked' | 'off' | 'expired' | 'usedUp' | 'scheduled' | 'archived' | 'active';

/** What the state of a link or a campaign follows from; campaigns count no clicks. */
export type Stateful = Pick<Link, 'disabledReason' | 'enabled' | 'startsAt' | 'expiresAt' | 'archived'> &
  Partial<Pick<Link, 'maxClicks' | 'usedClicks'>>;

/** What visitors meet, in the order in which the service decides. */
export function stateOf({ maxClicks = null, usedClicks, ...of }: Stateful): LinkState {
  const now = Date.now();
  if (of.disabledReason !== null) return 'blocked';
  if (!of.enabled) return 'off';
  if (of.startsAt !== null && Date.parse(of.startsAt) > now) return 'scheduled';
  if (of.expiresAt !== null && Date.parse(of.expiresAt) <= now) return 'expired';
  if (maxClicks !== null && (usedClicks ?? 0) >= maxClicks) return 'usedUp';
  return of.archived ? 'archived' : 'active';
}
