import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessModule } from '../../access/access.module';
import { ContactsModule } from '../contacts/contacts.module';
import { PagesModule } from '../pages/pages.module';
import { RateLimitStorageModule } from '../../access/guards/rate-limits.module';
import { WebhookOutboxModule } from '../webhooks/webhook-outbox.module';
import { OptOutAnswers } from './opt-out-links/opt-out-answers';
import { OptOutController } from './opt-out-links/opt-out.controller';
import { OptOutLinksRepository } from './opt-out-links/opt-out-links.repository';
import { OptOutLinksService } from './opt-out-links/opt-out-links.service';
import { OptOuts } from './opt-outs';
import { UnsubscribeChanges } from './unsubscribe-changes';
import { UnsubscribeEvents } from './unsubscribe-events';
import { UnsubscribeFeeds } from './feeds/unsubscribe-feeds';
import { UnsubscribeImport } from './import/unsubscribe-import';
import { UnsubscribeJob } from './import/unsubscribe-job';
import { UnsubscribesOfContacts } from './unsubscribes-of-contacts';
import { UnsubscribesRepository } from './unsubscribes.repository';
import { OptOutCollectionController } from './opt-out-collection.controller';
import { UnsubscribesConsoleController } from './unsubscribes.console.controller';
import { UnsubscribesController } from './unsubscribes.controller';
import { UnsubscribesService } from './unsubscribes.service';
import { OptOutLinkRow } from './opt-out-links/opt-out-link.entity';

/** Opt-outs, and the feeds by which customers' systems follow them. */
@Module({
  imports: [
    TypeOrmModule.forFeature([OptOutLinkRow]),
    AccessModule,
    ContactsModule,
    PagesModule,
    RateLimitStorageModule,
    WebhookOutboxModule,
  ],
  controllers: [
    OptOutCollectionController,
    UnsubscribesController,
    UnsubscribesConsoleController,
    OptOutController,
  ],
  providers: [
    OptOutAnswers,
    OptOutLinksRepository,
    OptOutLinksService,
    OptOuts,
    UnsubscribeChanges,
    UnsubscribeEvents,
    UnsubscribeFeeds,
    UnsubscribeImport,
    UnsubscribeJob,
    UnsubscribesOfContacts,
    UnsubscribesRepository,
    UnsubscribesService,
  ],
})
export class UnsubscribesModule {}
