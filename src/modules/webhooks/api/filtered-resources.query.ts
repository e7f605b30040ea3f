import { Injectable } from '@nestjs/common';
import { ValidationFailed } from '../../../common/errors/errors';
import { Database } from '../../../infrastructure/database/database';
import { type EndpointFilters, FILTERS, NO_FILTERS } from '../outbox/endpoint-filters';

/** The kinds of filters that name resources, with the table of each. */
const TABLES = { links: 'links', campaigns: 'campaigns', apps: 'apps' } as const;

const KINDS = ['links', 'campaigns', 'apps'] as const;

type RequestedFilters = { readonly [Kind in keyof EndpointFilters]?: EndpointFilters[Kind] | null };

/** Merges requested filters with the stored ones, and checks that added ids exist. */
@Injectable()
export class FilteredResourcesQuery {
  constructor(private readonly database: Database) {}

  /**
   * Filters after a request: fields that it does not supply stay. Ids that were there stay valid when their resource is
   * deleted, so that an endpoint remains editable.
   * @returns null without filters
   * @throws ValidationFailed
   */
  async after(
    organizationId: number,
    request: RequestedFilters,
    before: EndpointFilters | null,
  ): Promise<EndpointFilters | null> {
    const old = before ?? NO_FILTERS;
    const tags = request.tags?.map((tag) => tag.trim().toLowerCase());
    const filters: EndpointFilters = {
      links: [...new Set(request.links ?? old.links)],
      campaigns: [...new Set(request.campaigns ?? old.campaigns)],
      tags: [...new Set(tags ?? old.tags)],
      apps: [...new Set(request.apps ?? old.apps)],
    };
    for (const kind of KINDS) {
      const added = filters[kind].filter((id) => !old[kind].includes(id));
      if (added.length === 0) continue;
      const known = await this.database.read<{ id: number }>(
        `SELECT id FROM ${TABLES[kind]} WHERE organization_id = $1 AND id = ANY ($2) AND deleted_at IS NULL`,
        [organizationId, added],
      );
      const unknown = added.find((id) => !known.some((each) => each.id === id));
      if (unknown !== undefined)
        throw ValidationFailed.field(kind, `must not contain ${unknown}, which does not exist`);
    }
    return FILTERS.some((kind) => filters[kind].length > 0) ? filters : null;
  }
}
