import { Module, type Provider } from '@nestjs/common';
import { Config } from '../../config/config';
import { ClickedCampaigns, type ClickedLink, ClickedLinks } from '../click-statistics/counting/clicked-links';
import type { TrackedLinkKind } from '../clicks/click';
import { placeColumns } from './link-place.sql';
import { trackedLinkAddress } from './tracked-link-address';
import type { TrackedLinkPlace } from './tracked-link-places';
import { TRACKED_LINK_TABLES } from './tracked-link.entity';
import type { Tx } from '../../infrastructure/database/database';

class ClickedTrackedLinks {
  private readonly sql: string;

  constructor(
    private readonly kind: TrackedLinkKind,
    private readonly shortUrlBase: string,
  ) {
    const table = TRACKED_LINK_TABLES[kind];
    this.sql = `
      SELECT id, code, original_url AS "originalUrl", ${placeColumns(table)}
        FROM ${table} WHERE organization_id = ANY ($1) AND id = ANY ($2)`;
  }

  async find(tx: Tx, organizationIds: readonly number[], ids: readonly number[]): Promise<ClickedLink[]> {
    type Row = Omit<ClickedLink, 'link'> & Omit<TrackedLinkPlace, 'shortUrlBase'>;
    const { shortUrlBase } = this;
    return (await tx.query<Row>(this.sql, [organizationIds, ids])).map(
      ({ id, code, originalUrl, ...place }) => {
        const link = trackedLinkAddress(this.kind, code, { ...place, shortUrlBase });
        return { id, code, originalUrl, link };
      },
    );
  }
}

const PROVIDERS: Provider[] = [
  {
    provide: ClickedLinks,
    inject: [Config],
    useFactory: ({ shortUrlBase }: Config): ClickedLinks => new ClickedTrackedLinks('link', shortUrlBase),
  },
  {
    provide: ClickedCampaigns,
    inject: [Config],
    useFactory: ({ shortUrlBase }: Config): ClickedCampaigns =>
      new ClickedTrackedLinks('campaign', shortUrlBase),
  },
];

/** Look-up of clicked links and campaigns, for processes that count clicks. */
@Module({ providers: PROVIDERS, exports: [ClickedLinks, ClickedCampaigns] })
export class ClickedTrackedLinksModule {}
