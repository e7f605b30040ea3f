import { Module } from '@nestjs/common';
import { CampaignsModule } from '../campaigns/campaigns.module';
import { ClicksModule } from '../clicks/clicks.module';
import { DeepLinksModule } from '../deep-links/deep-links.module';
import { DomainsModule } from '../domains/domains.module';
import { LinksModule } from '../links/links.module';
import { RedirectListener } from './redirect.listener';
import { TargetAnswers } from './target-answers';
import { Targets } from './targets';

/** The hot path: host and path in, answer out. */
@Module({
  imports: [LinksModule, CampaignsModule, DomainsModule, ClicksModule, DeepLinksModule],
  providers: [RedirectListener, TargetAnswers, Targets],
  exports: [RedirectListener],
})
export class RedirectModule {}
