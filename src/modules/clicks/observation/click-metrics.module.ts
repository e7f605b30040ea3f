import { type DynamicModule, Global, Module } from '@nestjs/common';
import { ClickMetrics } from './click-metrics';

/** The metrics of clicks, which the recording and the counting half share, also on two threads. */
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
