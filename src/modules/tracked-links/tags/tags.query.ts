import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/caller';
import { Database } from '../../../infrastructure/database/database';
import { tagKey } from '../fields/tags';
import type { ListTagsQuery, TagsResponse } from './tags.dto';

@Injectable()
export class TagsQuery {
  constructor(private readonly database: Database) {}

  async run({ organizationId }: Caller, { q, limit }: ListTagsQuery): Promise<TagsResponse> {
    const values = [organizationId, tagKey(q ?? ''), limit];
    return {
      tags: await this.database.reportRows<TagsResponse['tags'][number]>(organizationId, TAGS, values),
    };
  }
}

/** `tags` and `tag_keys` are parallel arrays. */
const tagsIn = (table: string) => `
      SELECT each.key, each.tag, '${table}' AS kind, count(*) AS uses
        FROM ${table} CROSS JOIN LATERAL unnest(tag_keys, tags) AS each (key, tag)
       WHERE organization_id = $1 AND deleted_at IS NULL AND tag_keys <> '{}' AND starts_with(each.key, $2)
       GROUP BY each.key, each.tag`;

const TAGS = `
  SELECT (array_agg(tag ORDER BY uses DESC, tag))[1] AS tag,
         coalesce(sum(uses) FILTER (WHERE kind = 'links'), 0)::float8 AS links,
         coalesce(sum(uses) FILTER (WHERE kind = 'campaigns'), 0)::float8 AS campaigns
    FROM (${tagsIn('links')}
      UNION ALL ${tagsIn('campaigns')}) AS spellings
   GROUP BY key
   ORDER BY sum(uses) DESC, key
   LIMIT $3`;
