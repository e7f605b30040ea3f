import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller';
import type { Tx } from '../../infrastructure/database/transactions';
import type { App } from './app.entity';

/** Something that is tied to apps. It knows apps and they don't know it, so it registers with `AppDeletions`. */
export interface AppTie {
  /** Lets go of an app that is being deleted, in the very transaction, on behalf of `caller`. */
  release(tx: Tx, caller: Caller, app: App): Promise<void>;
}

/** Who must let go of an app before it goes: "deep-link settings tied to the app are removed too" (doc 1 §4). */
@Injectable()
export class AppDeletions {
  private readonly ties: AppTie[] = [];

  register(tie: AppTie): void {
    this.ties.push(tie);
  }

  async releaseAll(tx: Tx, caller: Caller, app: App): Promise<void> {
    // One after the other: they share the transaction's connection.
    for (const tie of this.ties) await tie.release(tx, caller, app);
  }
}
