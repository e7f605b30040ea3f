import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { ContactsModule } from '../contacts/contacts.module';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { UnsubscribeChanges } from './unsubscribe-changes';
import { UnsubscribeCursors } from './unsubscribe-cursors';
import { UnsubscribeEvents } from './unsubscribe-events';
import { UnsubscribeFeeds } from './unsubscribe-feeds';
import { UnsubscribeJob } from './unsubscribe-job';
import { UnsubscribePersonalData } from './unsubscribe-personal-data';
import { UnsubscribeRows } from './unsubscribe-rows';
import { UnsubscribesController } from './unsubscribes.controller';
import { UnsubscribesService } from './unsubscribes.service';

/** Who is not to be written to, and the feeds from which customers' systems learn it. */
@Module({
  imports: [AccessModule, ContactsModule, WebhooksModule],
  controllers: [UnsubscribesController],
  providers: [
    UnsubscribeChanges,
    UnsubscribeCursors,
    UnsubscribeEvents,
    UnsubscribeFeeds,
    UnsubscribeJob,
    UnsubscribePersonalData,
    UnsubscribeRows,
    UnsubscribesService,
  ],
})
export class UnsubscribesModule {}
