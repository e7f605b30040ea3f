import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { AppsModule } from '../apps/apps.module';
import { CampaignsModule } from '../campaigns/campaigns.module';
import { ClicksModule } from '../clicks/clicks.module';
import { AttributionModule } from '../attribution/attribution.module';
import { DomainsModule } from '../domains/domains.module';
import { LinksModule } from '../links/links.module';
import { TrackedLinksModule } from '../tracked-links/tracked-links.module';
import { PagesModule } from '../pages/pages.module';
import { AppAnswers } from './pages/app-answers';
import { Decisions } from './decisions';
import { Hosts } from './hosts';
import { LinkGate } from './gate/link-gate';
import { LinkPages } from './pages/link-pages';
import { LinkPasswords } from './gate/link-passwords';
import { RedirectLog } from './observation/redirect-log';
import { RedirectObserver } from './observation/redirect-observer';
import { RedirectListener } from './redirect.listener';
import { RedirectResponder } from './redirect-responder';
import { LinkTrace } from './trace/link-trace';
import { LinkTraceController } from './trace/link-trace.controller';
import { TrackedLinkLocator } from './tracked-link-locator';
import { WellKnown } from './well-known';

/** The hot path, which handles requests for links and campaigns. */
@Module({
  imports: [
    AccessModule,
    AppsModule,
    LinksModule,
    TrackedLinksModule,
    CampaignsModule,
    DomainsModule,
    ClicksModule,
    AttributionModule,
    PagesModule,
  ],
  controllers: [LinkTraceController],
  providers: [
    AppAnswers,
    Decisions,
    Hosts,
    LinkGate,
    LinkPages,
    LinkPasswords,
    LinkTrace,
    RedirectListener,
    RedirectLog,
    RedirectObserver,
    RedirectResponder,
    TrackedLinkLocator,
    WellKnown,
  ],
  exports: [Hosts, RedirectListener, RedirectObserver, RedirectResponder, TrackedLinkLocator],
})
export class RedirectModule {}
