import { Injectable } from '@nestjs/common';
import type { BulkJobHandler, BulkJobType } from './bulk-job';

/** Registry of handlers by type of job. */
@Injectable()
export class BulkJobHandlers {
  private readonly handlers = new Map<BulkJobType, BulkJobHandler>();

  register<Context, Item>(handler: BulkJobHandler<Context, Item>): void {
    this.handlers.set(handler.type, handler);
  }

  /** @returns undefined for a type of a later version, left to its workers */
  of(type: BulkJobType): BulkJobHandler | undefined {
    return this.handlers.get(type);
  }
}
