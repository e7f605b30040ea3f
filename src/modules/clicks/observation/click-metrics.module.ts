import { type DynamicModule, Global, Module } from '@nestjs/common';
import { ClickMetrics } from './click-metrics';

/** Metrics of clicks, shared by the recording and the counting part, even on two threads. */
@Global()
@Module({})
export class ClickMetricsModule {
  static of(metrics: ClickMetrics): DynamicModule {
    return {
      module: ClickMetricsModule,
      providers: [{ provide: ClickMetrics, useValue: metrics }],
      exports: [ClickMetrics],
    };
  }
}
