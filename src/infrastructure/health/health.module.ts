import { Global, Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { Health } from './health';
import { ReadinessChecks } from './readiness-checks';
import { StoreChecks } from './store-checks';

@Global()
@Module({
  // Terminus would log the whole response of every failed probe.
  imports: [TerminusModule.forRoot({ logger: false })],
  providers: [Health, ReadinessChecks, StoreChecks],
  exports: [Health, ReadinessChecks],
})
export class HealthModule {}
