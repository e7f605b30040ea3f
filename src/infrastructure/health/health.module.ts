import { Global, Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { Health } from './health';
import { ReadinessChecks } from './readiness-checks';
import { StoreChecks } from './store-checks';

@Global()
@Module({
  // Its own log line repeats the whole answer on every probe.
  imports: [TerminusModule.forRoot({ logger: false })],
  providers: [Health, ReadinessChecks, StoreChecks],
  exports: [Health, ReadinessChecks],
})
export class HealthModule {}
