import { Global, Module } from '@nestjs/common';
import { InstallationMetrics } from './installation-metrics';
import { Metrics } from './metrics';
import { ProcessMetrics } from './process-metrics';

@Global()
@Module({
  providers: [Metrics, InstallationMetrics, ProcessMetrics],
  exports: [Metrics, InstallationMetrics],
})
export class MetricsModule {}
