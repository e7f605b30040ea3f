import { Inject, Injectable, Module } from '@nestjs/common';
import type { Config } from '../../config/config';
import { CONFIG } from '../../config/config.module';
import type { Tx } from '../../infrastructure/database/tx';
import { ClickedCampaigns, type ClickedLink } from '../click-statistics/counting/clicked-link';
import { placeColumns } from '../tracked-links/link-place.sql';
import { trackedLinkAddress } from '../tracked-links/tracked-link-address';
import type { TrackedLinkPlace } from '../tracked-links/tracked-link-places';

@Injectable()
class CampaignsOfClicks extends ClickedCampaigns {
  constructor(@Inject(CONFIG) private readonly config: Config) {
    super();
  }

  override async find(tx: Tx, ids: readonly number[]): Promise<ClickedLink[]> {
    const campaigns = await tx.query<Omit<ClickedLink, 'link'> & Omit<TrackedLinkPlace, 'shortUrlBase'>>(
      CLICKED,
      [ids],
    );
    const { shortUrlBase } = this.config;
    return campaigns.map(({ id, code, originalUrl, ...place }) => {
      return {
        id,
        code,
        originalUrl,
        link: trackedLinkAddress('campaign', code, { ...place, shortUrlBase }),
      };
    });
  }
}

const CLICKED = `
  SELECT id, alias AS code, original_url AS "originalUrl", ${placeColumns('campaigns')}
    FROM campaigns WHERE id = ANY ($1)`;

/** What the counting of clicks asks campaigns for; it runs where clicks are counted. */
@Module({
  providers: [{ provide: ClickedCampaigns, useClass: CampaignsOfClicks }],
  exports: [ClickedCampaigns],
})
export class ClickedCampaignsModule {}
