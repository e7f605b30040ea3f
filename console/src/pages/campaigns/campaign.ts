import type { Schemas } from '../../api/client';

export type Campaign = Schemas['CampaignResponse'];

/** The campaign's URL for a channel, a customer or both; empty texts are omitted. */
export function addressFor({ link }: Campaign, channel: string, customer: string): string {
  const path = channel === '' ? '' : `/${encodeURIComponent(channel)}`;
  return `${link}${path}${customer === '' ? '' : `?${new URLSearchParams({ cid: customer })}`}`;
}

/** A URL as it is displayed, without its scheme: `go.example.com/c/spring`. */
export function shortAddress(address: string): string {
  return decodeURI(address.replace(/^https?:\/\//, ''));
}
