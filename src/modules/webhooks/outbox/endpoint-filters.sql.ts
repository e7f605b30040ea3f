/** The columns of `links` and `campaigns` that filters ask for. */
const ASKED = {
  links: { tags: 'tag_keys', apps: ['ios_app_id', 'android_app_id'] },
  campaigns: { tags: null, apps: ['ios_app_id', 'android_app_id'] },
} as const;

/**
 * SQL for whether an event passes the filters of an endpoint. Without filters, no other table is read.
 * @param w endpoint @param e event, with `link_id`, `campaign_id` and `app_id`
 */
export function passesFiltersSql(w: string, e: string): string {
  const has = (filter: string, id: string) => `${w}.filters -> '${filter}' @> to_jsonb(${id})`;
  const tracked = (table: keyof typeof ASKED, id: string) => {
    const { tags, apps } = ASKED[table];
    const asked = apps.map((column) => has('apps', `t.${column}`));
    if (tags !== null) asked.push(`${w}.filters -> 'tags' ?| t.${tags}`);
    return `EXISTS (SELECT FROM ${table} t WHERE t.organization_id = ${w}.organization_id AND t.id = ${e}.${id}
                       AND (${asked.join(' OR ')}))`;
  };
  return `(${w}.filters IS NULL OR num_nonnulls(${e}.link_id, ${e}.campaign_id, ${e}.app_id) = 0
           OR ${has('links', `${e}.link_id`)} OR ${has('campaigns', `${e}.campaign_id`)} OR ${has('apps', `${e}.app_id`)}
           OR ${tracked('links', 'link_id')}
           OR ${tracked('campaigns', 'campaign_id')})`;
}
