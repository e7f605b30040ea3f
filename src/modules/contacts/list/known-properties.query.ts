import { Injectable } from '@nestjs/common';
import { Database } from '../../../infrastructure/database/database';
import { STANDARD_METRICS } from '../contact-activity';
import { CUSTOM } from './contact-properties';

/** Number of contacts that are read, the newest ones. */
const MAX_CONTACTS = 10_000;
const MAX_CUSTOM_FIELDS = 200;
/** A property with more values, or with a longer one, has no list of values. */
const MAX_VALUES = 50;
const MAX_VALUE_LENGTH = 100;

interface KnownRow {
  /** `custom.<key>`, `locale` or `tags`. */
  readonly key: string;
  /** Null if there are too many values, or one is too long. */
  readonly values: string[] | null;
}

export interface KnownProperties {
  /** Keys of custom fields, in descending order of contacts with them. */
  readonly customFields: readonly string[];
  /** By name. */
  readonly metrics: readonly string[];
  /** Values of `custom.<key>`, `locale` and `tags` by key, for properties with few values. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

/** Properties and values of an organization's contacts, for building conditions. */
@Injectable()
export class KnownPropertiesQuery {
  constructor(private readonly database: Database) {}

  async run(organizationId: number): Promise<KnownProperties> {
    const [rows, metrics] = await Promise.all([
      this.database.reportRows<KnownRow>(organizationId, KNOWN, [organizationId]),
      this.database.reportRows<{ metric: string }>(
        organizationId,
        'SELECT metric FROM activity_metrics WHERE organization_id = $1 ORDER BY metric',
        [organizationId],
      ),
    ]);
    return {
      customFields: rows
        .flatMap(({ key }) => (key.startsWith(CUSTOM) ? [key.slice(CUSTOM.length)] : []))
        .slice(0, MAX_CUSTOM_FIELDS),
      metrics: [...new Set([...STANDARD_METRICS, ...metrics.map(({ metric }) => metric)])].toSorted(),
      values: new Map(rows.flatMap(({ key, values }) => (values ? [[key, values] as const] : []))),
    };
  }
}

const KNOWN = `
  WITH newest AS MATERIALIZED (
    SELECT locale, tags, custom_fields FROM contacts
     WHERE organization_id = $1 AND deactivated_at IS NULL
     ORDER BY created_at DESC, id DESC LIMIT ${MAX_CONTACTS}
  ), held AS (
    SELECT '${CUSTOM}' || field.key AS key, left(field.value, ${MAX_VALUE_LENGTH + 1}) AS value
      FROM newest, jsonb_each_text(custom_fields) AS field
     UNION ALL SELECT 'locale', locale FROM newest WHERE locale IS NOT NULL
     UNION ALL SELECT 'tags', tag FROM newest, unnest(tags) AS tag
  ), counted AS (
    SELECT key, value, count(*) AS contacts FROM held WHERE value <> '' GROUP BY key, value
  )
  SELECT key, CASE WHEN count(*) <= ${MAX_VALUES} AND max(length(value)) <= ${MAX_VALUE_LENGTH}
                   THEN array_agg(value ORDER BY value) END AS values
    FROM counted WHERE length(key) <= 300
   GROUP BY key ORDER BY key NOT IN ('locale', 'tags'), sum(contacts) DESC, key LIMIT ${MAX_CUSTOM_FIELDS + 2}`;
