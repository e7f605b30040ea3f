import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Config } from './config';

/** Injection token of the validated settings: `@Inject(CONFIG) private readonly config: Config`. */
export const CONFIG = Symbol('CONFIG');

@Global()
@Module({})
export class ConfigModule {
  static of(config: Config): DynamicModule {
    return { module: ConfigModule, providers: [{ provide: CONFIG, useValue: config }], exports: [CONFIG] };
  }
}
