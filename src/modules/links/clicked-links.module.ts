import { Inject, Injectable, Module } from '@nestjs/common';
import type { Config } from '../../config/config';
import { CONFIG } from '../../config/config.module';
import type { Tx } from '../../infrastructure/database/tx';
import { ClickedLinks, type ClickedLink } from '../click-statistics/counting/clicked-link';
import { placeColumns } from '../tracked-links/link-place.sql';
import { trackedLinkAddress } from '../tracked-links/tracked-link-address';
import type { TrackedLinkPlace } from '../tracked-links/tracked-link-places';

@Injectable()
class LinksOfClicks extends ClickedLinks {
  constructor(@Inject(CONFIG) private readonly config: Config) {
    super();
  }

  override async find(tx: Tx, ids: readonly number[]): Promise<ClickedLink[]> {
    const links = await tx.query<Omit<ClickedLink, 'link'> & Omit<TrackedLinkPlace, 'shortUrlBase'>>(
      CLICKED,
      [ids],
    );
    const { shortUrlBase } = this.config;
    return links.map(({ id, code, originalUrl, ...place }) => {
      return { id, code, originalUrl, link: trackedLinkAddress('link', code, { ...place, shortUrlBase }) };
    });
  }
}

const CLICKED = `
  SELECT id, code, original_url AS "originalUrl", ${placeColumns('links')}
    FROM links WHERE id = ANY ($1)`;

/** What the counting of clicks asks links for; it runs where clicks are counted. */
@Module({ providers: [{ provide: ClickedLinks, useClass: LinksOfClicks }], exports: [ClickedLinks] })
export class ClickedLinksModule {}
