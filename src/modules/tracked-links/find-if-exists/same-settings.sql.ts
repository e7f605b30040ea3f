import { ogEquals } from '../open-graph/og-fetches';
import { TRACKED_LINK_TABLES, type TrackedLinkEntity } from '../tracked-link.entity';
import type { TrackedLinksRepository } from '../tracked-links.repository';

/** Columns of a new row that are no settings of it, or that `sameSettings` compares in its own way. */
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
  'username',
  'foldedName',
  'createdBy',
  'createdAt',
  'updatedAt',
]);

/** Columns in the hash of the index `<table>_settings_idx`. */
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

/** The expression of the index. @param row alias of a row */
function hashOf(row: string): string {
  const text = HASHED.map((column) => `coalesce(${row}.${column}, '')`).join(` || E'\\n' || `);
  return `hashtextextended(${text}, 0)`;
}

/**
 * SQL condition that the row `present` has the destination and all settings of the draft `draft`: every column that a
 * creation writes, so that a new one is compared without being named here. The first parameter is the organization.
 * @param ownCampaign SQL expression of `utm_campaign` in the query of the draft's destination
 */
export function sameSettings<T extends TrackedLinkEntity>(
  { kind, inserted, jsonColumns }: TrackedLinksRepository<T>,
  ownCampaign: string,
): string {
  const { code } = TRACKED_LINK_TABLES[kind];
  const plain = inserted.filter(({ property }) => !NOT_COMPARED.has(property));
  const compared = plain.map(({ property, name }) => {
    const type = jsonColumns.has(property) ? '::jsonb' : '';
    return `present.${name}${type} IS NOT DISTINCT FROM draft.${name}${type}`;
  });
  return [
    'present.organization_id = $1',
    `${hashOf('present')} = ${hashOf('draft')}`,
    'present.deleted_at IS NULL',
    `(NOT draft.is_alias OR present.${code} = draft.${code})`,
    ...compared,
    // Rows older than the column do not have the value of their destination.
    `coalesce(present.utm_campaign, ${ownCampaign}) IS NOT DISTINCT FROM draft.utm_campaign`,
    ...ogEquals('present', 'draft'),
    ...(kind === 'link' ? ONLY_LINKS : []),
  ].join('\n AND ');
}

const ONLY_LINKS = [
  'present.tag_keys @> draft.tag_keys',
  'present.tag_keys <@ draft.tag_keys',
  // One that is used up answers as expired, and what has expired is not found.
  '(present.max_clicks IS NULL OR present.used_clicks < present.max_clicks)',
];
