import { Injectable, Module } from '@nestjs/common';
import type { Tx } from '../../infrastructure/database/transactions';
import { ClickedCampaigns, type ClickedTarget } from '../clicks/clicked-target';

@Injectable()
class CampaignsOfClicks extends ClickedCampaigns {
  override find(tx: Tx, ids: readonly number[]): Promise<ClickedTarget[]> {
    return tx.query(
      'SELECT id, alias AS code, original_url AS "originalUrl" FROM campaigns WHERE id = ANY ($1)',
      [ids],
    );
  }
}

/** What the counting of clicks asks campaigns for; it runs where clicks are counted. */
@Module({
  providers: [{ provide: ClickedCampaigns, useClass: CampaignsOfClicks }],
  exports: [ClickedCampaigns],
})
export class ClickedCampaignsModule {}
