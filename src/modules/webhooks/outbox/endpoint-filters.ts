import type { OutboxEvent } from './outbox-event';

/** What events must be about to be delivered to an endpoint (docs/webhooks.md#filters). */
export interface EndpointFilters {
  readonly links: readonly number[];
  readonly campaigns: readonly number[];
  /** In lower case. */
  readonly tags: readonly string[];
  readonly apps: readonly number[];
}

export const FILTERS = ['links', 'campaigns', 'tags', 'apps'] as const satisfies (keyof EndpointFilters)[];

export const NO_FILTERS: EndpointFilters = { links: [], campaigns: [], tags: [], apps: [] };

/** What an event is about; all null if filters do not concern it. */
export interface Concerned {
  readonly linkId: number | null;
  readonly campaignId: number | null;
  readonly appId: number | null;
}

type Ids = Partial<Record<'id' | 'urlId' | 'campaignId' | 'appId', number | null>>;

export function concernedBy({ name, data }: OutboxEvent): Concerned {
  const { id = null, urlId = null, campaignId = null, appId = null } = data as Ids;
  const [resource] = name.split('.');
  return {
    linkId: urlId ?? (resource === 'link' ? id : null),
    campaignId: campaignId ?? (resource === 'campaign' ? id : null),
    appId,
  };
}
