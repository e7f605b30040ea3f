import type { Campaign } from '../campaigns/campaign';
import { addressOf, type Link } from './link';

export type Kind = 'link' | 'campaign';
export type TrackedLink = Link | Campaign;

/** What differs between links and campaigns in lists, besides texts, which have the kind as their context. */
export const KINDS = {
  link: { path: '/urls', page: '/links/$id', calls: 'ShortUrl', menu: 'links' },
  campaign: { path: '/campaigns', page: '/campaigns/$id', calls: 'Campaign', menu: 'campaigns' },
} as const;

/** The name by which actions and messages call it: a link's address, or a campaign's name. */
export function calledOf(item: TrackedLink): string {
  return 'name' in item ? item.name.trim() : addressOf(item);
}
