import { Module } from '@nestjs/common';
import { AppPageTokens } from './app-page-tokens';
import { DeepLinkTokensService } from './deep-link-tokens.service';
import { FunnelRollups } from './funnel-rollups';
import { FunnelSessions } from './funnel-sessions';

/** What leads from a click into an app: tokens, funnel sessions, installs. */
@Module({
  providers: [AppPageTokens, DeepLinkTokensService, FunnelSessions, FunnelRollups],
  exports: [AppPageTokens, DeepLinkTokensService],
})
export class DeepLinksModule {}
