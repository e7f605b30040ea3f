import { Global, Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import { TerminusModule } from '@nestjs/terminus';
import { EditInterceptor } from './edits/edit.interceptor';
import { Health } from './health/health';
import { ReadinessChecks } from './health/readiness-checks';
import { StoreChecks } from './health/store-checks';
import { IdempotencyInterceptor } from './idempotency/idempotency.interceptor';
import { IdempotencyStore } from './idempotency/idempotency-store';
import { InstallationMetrics } from './metrics/installation-metrics';
import { Metrics } from './metrics/metrics';
import { ProcessMetrics } from './metrics/process-metrics';
import { OncePerSchedule } from './schedule/once-per-schedule';
import { ScheduleMetrics } from './schedule/schedule-metrics';

const SHARED = [Health, ReadinessChecks, Metrics, InstallationMetrics, OncePerSchedule, IdempotencyStore];

/** What the service has and its counting thread does not. Import it after HttpModule, which parses the bodies. */
@Global()
@Module({
  // Terminus would log the whole response of every failed probe.
  imports: [ScheduleModule.forRoot(), TerminusModule.forRoot({ logger: false })],
  providers: [
    ...SHARED,
    StoreChecks,
    ProcessMetrics,
    ScheduleMetrics,
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
    { provide: APP_INTERCEPTOR, useClass: EditInterceptor },
  ],
  exports: SHARED,
})
export class ServiceModule {}
