import { type DynamicModule, Module, type Type } from '@nestjs/common';
import type { Logger } from 'pino';
import { AccessModule } from './access/access.module';
import { HttpModule } from './common/http/http.module';
import { OutgoingModule } from './common/outgoing/outgoing.module';
import { type Clock, SystemClock } from './common/time/clock';
import { ConfigModule } from './config/config.module';
import { EncryptionModule } from './infrastructure/encryption/encryption.module';
import { InfrastructureModule } from './infrastructure/infrastructure.module';
import type { RunnableConfig } from './infrastructure/runnable-config';
import { JobsModule } from './infrastructure/jobs/jobs.module';
import { ServiceModule } from './infrastructure/service.module';
import { AnalyticsModule } from './modules/analytics/analytics.module';
import { AttentionModule } from './modules/attention/attention.module';
import { BillingModule } from './modules/billing/billing.module';
import { CampaignsModule } from './modules/campaigns/campaigns.module';
import { ClickMetrics } from './modules/clicks/observation/click-metrics';
import { ClickMetricsModule } from './modules/clicks/observation/click-metrics.module';
import { ClickCountingModule } from './modules/click-statistics/counting/click-counting.module';
import { ContactsModule } from './modules/contacts/contacts.module';
import { CrossPlatformModule } from './modules/cross-platform/cross-platform.module';
import { AppPageClicksModule } from './modules/attribution/tokens/app-page-clicks.module';
import { ClickedTrackedLinksModule } from './modules/tracked-links/clicked-tracked-links.module';
import { JourneysModule } from './modules/journeys/journeys.module';
import { LinkHealthModule } from './modules/link-health/link-health.module';
import { LinksModule } from './modules/links/links.module';
import { RedirectModule } from './modules/redirect/redirect.module';
import { SdkMobileModule } from './modules/sdk-mobile/sdk-mobile.module';
import { SdkWebModule } from './modules/sdk-web/sdk-web.module';
import { SegmentsModule } from './modules/segments/segments.module';
import { UnsubscribesModule } from './modules/unsubscribes/unsubscribes.module';
import { UsageModule } from './modules/usage/usage.module';
import { WebhooksModule } from './modules/webhooks/webhooks.module';
import { HealthController, MetricsController } from './operations/operations.controller';
import { RootController } from './operations/root.controller';

export interface AppModuleOptions {
  logger: Logger;
  clock?: Clock;
  /** Whether clicks are counted on this thread instead of a separate one. */
  counting?: boolean;
  clickMetrics?: ClickMetrics;
  /** Additional modules, for tests of rules that apply to all routes. */
  modules?: Type[];
}

@Module({})
export class AppModule {
  static of(config: RunnableConfig, options: AppModuleOptions): DynamicModule {
    return {
      module: AppModule,
      imports: [
        // Interceptors run in the order of imports: HttpModule reads the bodies that ServiceModule needs.
        ConfigModule.of(config),
        HttpModule.of(options.logger),
        InfrastructureModule.of(config, options.clock ?? new SystemClock()),
        EncryptionModule.of(config),
        OutgoingModule,
        ServiceModule,
        JobsModule,
        AccessModule,
        ClickMetricsModule.of(options.clickMetrics ?? new ClickMetrics()),
        // Express searches routes in the order of imports, so those of devices, the most frequent callers, come first.
        CrossPlatformModule,
        SdkMobileModule,
        SdkWebModule,
        WebhooksModule,
        AnalyticsModule,
        JourneysModule,
        AttentionModule,
        UsageModule,
        BillingModule,
        LinksModule,
        CampaignsModule,
        LinkHealthModule,
        ContactsModule,
        RedirectModule,
        SegmentsModule,
        UnsubscribesModule,
        ...(options.counting
          ? [ClickCountingModule.with(AppPageClicksModule, ClickedTrackedLinksModule)]
          : []),
        ...(options.modules ?? []),
      ],
      controllers: [HealthController, ...(config.operations ? [] : [MetricsController]), RootController],
    };
  }
}
