import { Injectable } from '@nestjs/common';
import type { BulkJobHandler, BulkJobType } from './bulk-job';

/** Who does which type of job. */
@Injectable()
export class BulkJobHandlers {
  private readonly handlers = new Map<BulkJobType, BulkJobHandler>();

  register<Context, Item>(handler: BulkJobHandler<Context, Item>): void {
    this.handlers.set(handler.type, handler);
  }

  /** @returns undefined for a type of a later version, whose workers will do it */
  of(type: BulkJobType): BulkJobHandler | undefined {
    return this.handlers.get(type);
  }
}
