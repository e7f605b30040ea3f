import { Injectable } from '@nestjs/common';
import type { BulkJobHandler, BulkJobType } from './bulk-job';

@Injectable()
export class BulkJobHandlers {
  private readonly handlers = new Map<BulkJobType, BulkJobHandler>();

  register<Context, Item>(handler: BulkJobHandler<Context, Item>): void {
    this.handlers.set(handler.type, handler);
  }

  /** @returns undefined for a type that only newer builds know, whose workers run it */
  of(type: BulkJobType): BulkJobHandler | undefined {
    return this.handlers.get(type);
  }
}
