import type { Schemas } from '../../api/client';

export type Campaign = Schemas['CampaignResponse'];

/** The address of a campaign for a channel, a customer or both. Empty texts are left out. */
export function addressFor({ link }: Campaign, channel: string, customer: string): string {
  const path = channel === '' ? '' : `/${encodeURIComponent(channel)}`;
  return `${link}${path}${customer === '' ? '' : `?${new URLSearchParams({ cid: customer })}`}`;
}

/** An address as it is said: `go.example.com/c/spring`. */
export function shortAddress(address: string): string {
  return address.replace(/^https?:\/\//, '');
}
