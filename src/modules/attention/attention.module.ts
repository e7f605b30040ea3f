import { Module } from '@nestjs/common';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { AttentionController } from './attention.controller';
import { AttentionService } from './attention.service';

/** See docs/concepts/access.md#what-needs-attention. */
@Module({
  imports: [WebhooksModule],
  controllers: [AttentionController],
  providers: [AttentionService],
})
export class AttentionModule {}
