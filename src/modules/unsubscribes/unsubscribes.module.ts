import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { UnsubscribeChanges } from './unsubscribe-changes';
import { UnsubscribeCursors } from './unsubscribe-cursors';
import { UnsubscribeEvents } from './unsubscribe-events';
import { UnsubscribeFeeds } from './unsubscribe-feeds';
import { UnsubscribeJob } from './unsubscribe-job';
import { UnsubscribeRows } from './unsubscribe-rows';
import { UnsubscribesController } from './unsubscribes.controller';
import { UnsubscribesService } from './unsubscribes.service';

/** Who is not to be written to, and the feeds from which customers' systems learn it. */
@Module({
  imports: [AccessModule, WebhooksModule],
  controllers: [UnsubscribesController],
  providers: [
    UnsubscribeChanges,
    UnsubscribeCursors,
    UnsubscribeEvents,
    UnsubscribeFeeds,
    UnsubscribeJob,
    UnsubscribeRows,
    UnsubscribesService,
  ],
})
export class UnsubscribesModule {}
