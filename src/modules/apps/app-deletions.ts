import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock';
import type { App } from './app.entity';
import type { Tx } from '../../infrastructure/database/database';

/** Removes references to a deleted app. Modules that depend on apps register theirs with `AppDeletions`. */
export interface AppLinkCleanup {
  /** Kind of the references, as named in the audit log, such as `links`. */
  readonly name: string;
  /** Removes references to an app in the transaction that deletes it. @returns the number of removed references */
  release(tx: Tx, app: App, now: Date): Promise<number>;
}

/** Removes all deep-link settings that refer to a deleted app (docs/concepts/apps.md#deleting-an-app). */
@Injectable()
export class AppDeletions {
  private readonly ties: AppLinkCleanup[] = [];

  constructor(private readonly clock: Clock) {}

  register(tie: AppLinkCleanup): void {
    this.ties.push(tie);
  }

  /** @returns the number of removed references, by kind */
  async release(tx: Tx, app: App): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    // Sequential, because all share the transaction's connection.
    for (const tie of this.ties) counts[tie.name] = await tie.release(tx, app, this.clock.date());
    return counts;
  }
}
