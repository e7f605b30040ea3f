import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { AppsModule } from '../apps/apps.module';
import { ClicksModule } from '../clicks/clicks.module';
import { SessionsModule } from '../sessions/sessions.module';
import { WebhookOutboxModule } from '../webhooks/webhook-outbox.module';
import { AppPageTokens } from './tokens/app-page-tokens';
import { AttributionHousekeeping } from './attribution-housekeeping';
import { DeepLinkTokensService } from './tokens/deep-link-tokens.service';
import { FirstStarts } from './first-starts';
import { MatchedStarts } from './matched-starts';
import { OpenClicks } from './tokens/open-clicks';
import { Reengagements } from './reengagements';
import { TokenClicks } from './tokens/token-clicks';
import { TokenMatches } from './tokens/token-matches';

/** Attributes app starts to clicks: tokens, fingerprints, installs, re-engagements. */
@Module({
  imports: [AccessModule, AppsModule, ClicksModule, SessionsModule, WebhookOutboxModule],
  providers: [
    AppPageTokens,
    DeepLinkTokensService,
    AttributionHousekeeping,
    FirstStarts,
    MatchedStarts,
    OpenClicks,
    Reengagements,
    TokenClicks,
    TokenMatches,
  ],
  exports: [
    AppPageTokens,
    DeepLinkTokensService,
    FirstStarts,
    MatchedStarts,
    Reengagements,
    SessionsModule,
    TokenClicks,
    TokenMatches,
  ],
})
export class AttributionModule {}
