import type { Schemas } from '../../api/client';

export type Campaign = Schemas['CampaignResponse'];
export type CampaignState = 'blocked' | 'off' | 'expired' | 'scheduled' | 'archived' | 'active';

/** What visitors meet, in the order in which the service decides. */
export function stateOf(campaign: Campaign): CampaignState {
  const { disabledReason, enabled, startsAt, expiresAt, archived } = campaign;
  const now = Date.now();
  if (disabledReason !== null) return 'blocked';
  if (!enabled) return 'off';
  if (startsAt !== null && Date.parse(startsAt) > now) return 'scheduled';
  if (expiresAt !== null && Date.parse(expiresAt) <= now) return 'expired';
  return archived ? 'archived' : 'active';
}

/** The address of a campaign for a channel, a customer or both. Empty texts are left out. */
export function addressFor({ link }: Campaign, channel: string, customer: string): string {
  const path = channel === '' ? '' : `/${encodeURIComponent(channel)}`;
  return `${link}${path}${customer === '' ? '' : `?${new URLSearchParams({ cid: customer })}`}`;
}

/** An address as it is said: `go.example.com/c/spring`. */
export function shortAddress(address: string): string {
  return address.replace(/^https?:\/\//, '');
}
