import { Module } from '@nestjs/common';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { AttentionController } from './attention.console.controller';
import { AttentionService } from './attention.service';
import { DomainAttentionQuery } from './domain-attention.query';
import { KeyAttentionQuery } from './key-attention.query';
import { LinkAttentionQuery } from './link-attention.query';
import { WebhookAttentionQuery } from './webhook-attention.query';

/** See docs/concepts/access.md#what-needs-attention. */
@Module({
  imports: [WebhooksModule],
  controllers: [AttentionController],
  providers: [
    AttentionService,
    DomainAttentionQuery,
    KeyAttentionQuery,
    LinkAttentionQuery,
    WebhookAttentionQuery,
  ],
})
export class AttentionModule {}
