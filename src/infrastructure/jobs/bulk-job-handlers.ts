import { Injectable } from '@nestjs/common';
import type { BulkJobHandler, BulkJobType } from './bulk-job';

@Injectable()
export class BulkJobHandlers {
  private readonly handlers = new Map<BulkJobType, BulkJobHandler>();

  register<Context, Item>(handler: BulkJobHandler<Context, Item>): void {
    this.handlers.set(handler.type, handler);
  }

  of(type: BulkJobType): BulkJobHandler {
    const handler = this.handlers.get(type);
    if (!handler) throw new Error(`No handler of bulk jobs of type ${type}`);
    return handler;
  }
}
