import type { Schemas } from '../../api/client';

export type Link = Schemas['ShortUrlResponse'];

/** The URL as it is displayed, without its scheme: `go.example.com/spring`. */
export function addressOf({ link }: Pick<Link, 'link'>): string {
  return decodeURI(link.replace(/^https?:\/\//, ''));
}

/** Display name: the name of a campaign, or the title or URL of a link. */
export function nameOf({ name, title, link }: Pick<Link, 'title' | 'link'> & { name?: string }): string {
  return name ?? title ?? addressOf({ link });
}

/** The alias or code, which is the last part of the URL. */
export function codeOf({ link }: Pick<Link, 'link'>): string {
  return decodeURIComponent(link.slice(link.lastIndexOf('/') + 1));
}

export type LinkState = 'blocked' | 'off' | 'expired' | 'usedUp' | 'scheduled' | 'archived' | 'active';

/** The fields that determine the state of a link or campaign. */
export type Stateful = Pick<
  Link,
  'disabledReason' | 'enabled' | 'startsAt' | 'expiresAt' | 'archived' | 'maxClicks' | 'usedClicks'
>;

/** The state as visitors see it, by the service's order of decisions. */
export function stateOf({ maxClicks, usedClicks, ...of }: Stateful): LinkState {
  const now = Date.now();
  if (of.disabledReason !== null) return 'blocked';
  if (!of.enabled) return 'off';
  if (of.startsAt !== null && Date.parse(of.startsAt) > now) return 'scheduled';
  if (of.expiresAt !== null && Date.parse(of.expiresAt) <= now) return 'expired';
  if (maxClicks !== null && (usedClicks ?? 0) >= maxClicks) return 'usedUp';
  return of.archived ? 'archived' : 'active';
}
