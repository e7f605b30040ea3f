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

/**
 * SQL for whether an event passes the filters of an endpoint. Without filters, no other table is read.
 * @param w endpoint @param e event, with `link_id`, `campaign_id` and `app_id`
 * @param organizations array of the organizations, which Citus needs in order to read only their shards
 */
export function passesFiltersSql(w: string, e: string, organizations: string): string {
  const has = (filter: string, id: string) => `${w}.filters -> '${filter}' @> to_jsonb(${id})`;
  const tracked = (table: 'links' | 'campaigns', id: string) =>
    `EXISTS (SELECT FROM ${table} t WHERE t.organization_id = ${w}.organization_id AND t.organization_id = ANY (${organizations}) AND t.id = ${e}.${id}
                AND (${has('apps', 't.ios_app_id')} OR ${has('apps', 't.android_app_id')}
                  OR ${w}.filters -> 'tags' ?| t.tag_keys))`;
  return `(${w}.filters IS NULL OR num_nonnulls(${e}.link_id, ${e}.campaign_id, ${e}.app_id) = 0
           OR ${has('links', `${e}.link_id`)} OR ${has('campaigns', `${e}.campaign_id`)} OR ${has('apps', `${e}.app_id`)}
           OR ${tracked('links', 'link_id')}
           OR ${tracked('campaigns', 'campaign_id')})`;
}
