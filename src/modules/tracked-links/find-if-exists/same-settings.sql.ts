import { UTM_FIELDS } from '../../domains/destinations/utm';
import { ogEquals } from '../open-graph/og-fetches';
import { TRACKED_LINK_TABLES, type TrackedLinkEntity } from '../tracked-link.entity';
import type { TrackedLinksRepository } from '../tracked-links.repository';

/** Columns of a new row that are no settings of it, or that `sameSettings` compares in its own way. */
const NOT_COMPARED = new Set<PropertyKey>([
  'organizationId',
  'originalUrl',
  'code',
  'isAlias',
  'formerCodes',
  'tags',
  'tagKeys',
  'ogTitle',
  'ogDescription',
  'ogImageUrl',
  'ogAuto',
  ...UTM_FIELDS,
  'deduplicationWindowMinutes',
  'username',
  'foldedName',
  'createdBy',
  'createdAt',
  'updatedAt',
]);

/**
 * SQL condition that the row `present` has the destination and all settings of the draft `draft`: every column that a
 * creation writes, so that a new one is compared without being named here.
 * @param own SQL expression of the utm values in the draft's destination, by field, as JSON
 */
export function sameSettings<T extends TrackedLinkEntity>(
  { kind, inserted, jsonColumns }: TrackedLinksRepository<T>,
  own: string,
): string {
  const { code } = TRACKED_LINK_TABLES[kind];
  const names = new Map<PropertyKey, string>(inserted.map(({ property, name }) => [property, name]));
  const plain = [...names].filter(([property]) => !NOT_COMPARED.has(property));
  const compared = plain.map(([property, name]) => {
    const type = jsonColumns.has(property) ? '::jsonb' : '';
    return `present.${name}${type} IS NOT DISTINCT FROM draft.${name}${type}`;
  });
  // A row without the value has that of its destination.
  const utm = UTM_FIELDS.map(
    (field) =>
      `coalesce(present.${names.get(field)}, ${own}->>'${field}') IS NOT DISTINCT FROM draft.${names.get(field)}`,
  );
  return [
    'present.organization_id = draft.organization_id',
    'hashtextextended(present.original_url, 0) = hashtextextended(draft.original_url, 0)',
    'present.original_url = draft.original_url',
    'present.deleted_at IS NULL',
    `(NOT draft.is_alias OR present.${code} = draft.${code})`,
    ...compared,
    ...utm,
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
