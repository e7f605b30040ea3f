import { Injectable, Module } from '@nestjs/common';
import type { Tx } from '../../infrastructure/database/transactions';
import { ClickedLinks, type ClickedTarget } from '../clicks/clicked-target';

@Injectable()
class LinksOfClicks extends ClickedLinks {
  override find(tx: Tx, ids: readonly number[]): Promise<ClickedTarget[]> {
    return tx.query('SELECT id, code, original_url AS "originalUrl" FROM links WHERE id = ANY ($1)', [ids]);
  }
}

/** What the counting of clicks asks links for; it runs where clicks are counted. */
@Module({ providers: [{ provide: ClickedLinks, useClass: LinksOfClicks }], exports: [ClickedLinks] })
export class ClickedLinksModule {}
