import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock';
import type { Tx } from '../../infrastructure/database/tx';
import type { App } from './app.entity';

/** Something that is tied to apps. It knows apps and they don't know it, so it registers with `AppDeletions`. */
export interface AppLinkCleanup {
  /** What is tied, as the audit log counts it: `links`. */
  readonly name: string;
  /** Lets go of an app that is being deleted, in the very transaction. @returns how many were tied to it */
  release(tx: Tx, app: App, now: Date): Promise<number>;
}

/**
 * Who must let go of an app before it goes: "deep-link settings tied to the app are removed too"
 * (docs/concepts/apps.md#deleting-an-app).
 */
@Injectable()
export class AppDeletions {
  private readonly ties: AppLinkCleanup[] = [];

  constructor(private readonly clock: Clock) {}

  register(tie: AppLinkCleanup): void {
    this.ties.push(tie);
  }

  /** @returns how many of each were tied to it */
  async release(tx: Tx, app: App): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    // One after the other: they share the transaction's connection.
    for (const tie of this.ties) counts[tie.name] = await tie.release(tx, app, this.clock.date());
    return counts;
  }
}
