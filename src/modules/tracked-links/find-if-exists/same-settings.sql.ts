import { ogEquals } from '../open-graph/og-fetches';
import type { TrackedLinkEntity } from '../tracked-link.entity';
import type { TrackedLinksRepository } from '../tracked-links.repository';

/** Columns of a draft that are not settings, or that `sameSettings` compares in a special way. */
const NOT_COMPARED = new Set<PropertyKey>([
  'organizationId',
  'code',
  'isAlias',
  'formerCodes',
  'tags',
  'tagKeys',
  'ogTitle',
  'ogDescription',
  'ogImageUrl',
  'ogAuto',
  'utmCampaign',
  'deduplicationWindowMinutes',
  'importedClicks',
  'username',
  'foldedName',
  'createdBy',
  'createdAt',
  'updatedAt',
]);

/** Columns hashed by the index `<table>_settings_idx`. */
const HASHED = [
  'original_url',
  'title',
  'external_id',
  'utm_source',
  'utm_medium',
  'utm_term',
  'utm_content',
  'ios_deep_link_path',
  'android_deep_link_path',
];

/** The expression of that index. @param row alias of a row */
function hashOf(row: string): string {
  const text = HASHED.map((column) => `coalesce(${row}.${column}, '')`).join(` || E'\\n' || `);
  return `hashtextextended(${text}, 0)`;
}

/**
 * SQL condition: the row `present` has the destination and all settings of the draft `draft`. All columns of a creation
 * are compared, so that a new column need not be added here. The first parameter is the organization.
 * @param ownCampaign SQL expression of `utm_campaign` in the query of the draft's destination
 */
export function sameSettings<T extends TrackedLinkEntity>(
  { inserted, jsonColumns }: TrackedLinksRepository<T>,
  ownCampaign: string,
): string {
  const plain = inserted.filter(({ property }) => !NOT_COMPARED.has(property));
  const compared = plain.map(({ property, name }) => {
    const type = jsonColumns.has(property) ? '::jsonb' : '';
    return `present.${name}${type} IS NOT DISTINCT FROM draft.${name}${type}`;
  });
  return [
    'present.organization_id = $1',
    `${hashOf('present')} = ${hashOf('draft')}`,
    'present.deleted_at IS NULL',
    `(NOT draft.is_alias OR present.code = draft.code OR lower(present.code COLLATE "C") = lower(draft.code COLLATE "C")
      AND EXISTS (SELECT 1 FROM custom_domains WHERE id = draft.domain_id AND NOT case_sensitive_codes))`,
    ...compared,
    `coalesce(present.utm_campaign, ${ownCampaign}) IS NOT DISTINCT FROM draft.utm_campaign`,
    ...ogEquals('present', 'draft'),
    'present.tag_keys @> draft.tag_keys',
    'present.tag_keys <@ draft.tag_keys',
    // One without visits left counts as expired, and is not found.
    '(present.max_clicks IS NULL OR present.used_clicks < present.max_clicks)',
  ].join('\n AND ');
}
