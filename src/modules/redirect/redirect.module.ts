import { Module } from '@nestjs/common';
import { AppsModule } from '../apps/apps.module';
import { CampaignsModule } from '../campaigns/campaigns.module';
import { ClicksModule } from '../clicks/clicks.module';
import { DeepLinksModule } from '../deep-links/deep-links.module';
import { DomainsModule } from '../domains/domains.module';
import { LinksModule } from '../links/links.module';
import { RedirectListener } from './redirect.listener';
import { TargetAnswers } from './target-answers';
import { Targets } from './targets';
import { WellKnown } from './well-known';

/** The hot path: host and path in, answer out. */
@Module({
  imports: [AppsModule, LinksModule, CampaignsModule, DomainsModule, ClicksModule, DeepLinksModule],
  providers: [RedirectListener, TargetAnswers, Targets, WellKnown],
  exports: [RedirectListener],
})
export class RedirectModule {}
