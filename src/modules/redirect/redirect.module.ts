import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { AppsModule } from '../apps/apps.module';
import { CampaignsModule } from '../campaigns/campaigns.module';
import { ClicksModule } from '../clicks/clicks.module';
import { DeepLinksModule } from '../deep-links/deep-links.module';
import { DomainsModule } from '../domains/domains.module';
import { LinksModule } from '../links/links.module';
import { PagesModule } from '../pages/pages.module';
import { AppAnswers } from './app-answers';
import { DestinationChoice } from './destination-choice';
import { LinkGate } from './link-gate';
import { LinkPages } from './link-pages';
import { LinkPasswords } from './link-passwords';
import { QuickRedirects } from './quick-redirects';
import { RedirectListener } from './redirect.listener';
import { TargetAnswers } from './target-answers';
import { TargetVisits } from './target-visits';
import { Targets } from './targets';
import { WellKnown } from './well-known';

/** The hot path: host and path in, answer out. */
@Module({
  imports: [
    AccessModule,
    AppsModule,
    LinksModule,
    CampaignsModule,
    DomainsModule,
    ClicksModule,
    DeepLinksModule,
    PagesModule,
  ],
  providers: [
    AppAnswers,
    DestinationChoice,
    LinkGate,
    LinkPages,
    LinkPasswords,
    QuickRedirects,
    RedirectListener,
    TargetAnswers,
    TargetVisits,
    Targets,
    WellKnown,
  ],
  exports: [RedirectListener],
})
export class RedirectModule {}
