import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/caller';
import { Database } from '../../../infrastructure/database/database';
import { tagKey } from '../link-drafts';
import type { ListTagsQuery, TagsResponse } from './editing.dto';

/** Tags of an organization's links. */
@Injectable()
export class LinkTagsQuery {
  constructor(private readonly database: Database) {}

  async run({ organizationId }: Caller, { q, limit }: ListTagsQuery): Promise<TagsResponse> {
    const values = [organizationId, tagKey(q ?? ''), limit];
    return {
      tags: await this.database.reportRows<TagsResponse['tags'][number]>(organizationId, TAGS, values),
    };
  }
}

/** `tags` and `tag_keys` are parallel arrays. */
const TAGS = `
  SELECT (array_agg(tag ORDER BY links DESC, tag))[1] AS tag, sum(links)::float8 AS links
    FROM (
      SELECT each.key, each.tag, count(*) AS links
        FROM links CROSS JOIN LATERAL unnest(tag_keys, tags) AS each (key, tag)
       WHERE organization_id = $1 AND deleted_at IS NULL AND tag_keys <> '{}' AND starts_with(each.key, $2)
       GROUP BY each.key, each.tag
    ) AS spellings
   GROUP BY key
   ORDER BY sum(links) DESC, key
   LIMIT $3`;
