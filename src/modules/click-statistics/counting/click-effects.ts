import { Injectable } from '@nestjs/common';
import type { EnrichedClick } from '../enriched-click';
import { ClickEffect } from './click-effect';
import { ClickEvents } from './click-events';
import { LiveAnnouncements } from './live-announcements';
import type { Tx } from '../../../infrastructure/database/database';

@Injectable()
export class ClickEffects {
  constructor(
    private readonly effect: ClickEffect,
    private readonly events: ClickEvents,
    private readonly live: LiveAnnouncements,
  ) {}

  async apply(tx: Tx, counted: readonly EnrichedClick[], filtered: readonly EnrichedClick[]): Promise<void> {
    await this.effect.apply(tx, counted, filtered);
    await this.events.add(tx, counted);
    await this.live.add(tx, counted);
  }
}
