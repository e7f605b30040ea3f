import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { AppInstalls } from './app-installs';
import { AppPageTokens } from './app-page-tokens';
import { DeepLinkHousekeeping } from './deep-link-housekeeping';
import { DeepLinkRetention } from './deep-link-retention';
import { DeepLinkTokensService } from './deep-link-tokens.service';
import { FunnelRollups } from './funnel-rollups';
import { FunnelSessions } from './funnel-sessions';
import { Reengagements } from './reengagements';
import { Resolutions } from './resolutions';

/** What the SDK APIs record: each returns facts, and FunnelRollups counts them in the same transaction. */
const FUNNEL = [FunnelSessions, AppInstalls, Reengagements, Resolutions, FunnelRollups];

/** What leads from a click into an app: tokens, funnel sessions, installs. */
@Module({
  imports: [AccessModule],
  providers: [AppPageTokens, DeepLinkTokensService, DeepLinkHousekeeping, DeepLinkRetention, ...FUNNEL],
  exports: [AppPageTokens, DeepLinkTokensService, ...FUNNEL],
})
export class DeepLinksModule {}
