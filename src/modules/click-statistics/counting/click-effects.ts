import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../infrastructure/database/tx';
import { ClickEffect } from './click-effect';
import { ClickEvents } from './click-events';
import type { EnrichedClick } from './enriched-click';

/** All that follows from clicks, in the transaction that counts them. */
@Injectable()
export class ClickEffects {
  constructor(
    private readonly elsewhere: ClickEffect,
    private readonly events: ClickEvents,
  ) {}

  async apply(tx: Tx, counted: readonly EnrichedClick[], filtered: readonly EnrichedClick[]): Promise<void> {
    await this.elsewhere.apply(tx, counted, filtered);
    await this.events.add(tx, counted);
  }
}
