import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { FunnelFact } from './funnel-sums';
import { JourneyRollups } from './journey-rollups';
import { JourneySums } from './journey-sums';

/** The figures that install statistics read: what is not added here, in the transaction of its fact, is in none. */
@Injectable()
export class FunnelRollups {
  constructor(private readonly rollups: JourneyRollups) {}

  async add(manager: EntityManager, facts: readonly FunnelFact[]): Promise<void> {
    const sums = new JourneySums();
    for (const fact of facts) sums.funnel.add(fact);
    await this.rollups.write(manager, sums);
  }
}
