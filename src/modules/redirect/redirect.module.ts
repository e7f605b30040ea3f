import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { AppsModule } from '../apps/apps.module';
import { CampaignsModule } from '../campaigns/campaigns.module';
import { ClicksModule } from '../clicks/clicks.module';
import { AttributionModule } from '../attribution/attribution.module';
import { DomainsModule } from '../domains/domains.module';
import { LinksModule } from '../links/links.module';
import { PagesModule } from '../pages/pages.module';
import { AppAnswers } from './pages/app-answers';
import { DestinationChoice } from './destination-resolver';
import { LinkGate } from './gate/link-gate';
import { LinkPages } from './pages/link-pages';
import { LinkPasswords } from './gate/link-passwords';
import { RedirectListener } from './redirect.listener';
import { TargetAnswers } from './redirect-responder';
import { TargetVisits } from './visit-recorder';
import { Targets } from './tracked-link-locator';
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
    AttributionModule,
    PagesModule,
  ],
  providers: [
    AppAnswers,
    DestinationChoice,
    LinkGate,
    LinkPages,
    LinkPasswords,
    RedirectListener,
    TargetAnswers,
    TargetVisits,
    Targets,
    WellKnown,
  ],
  exports: [RedirectListener, TargetAnswers, Targets],
})
export class RedirectModule {}
