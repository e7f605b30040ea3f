import { type DynamicModule, Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import type { Logger } from 'pino';
import { LOGGER } from '../logging/logger';
import { RequestPipe } from '../validation/request.pipe';
import { BodyInterceptor } from './body.interceptor';
import { ErrorFilter } from './error.filter';

/** HTTP rules for all routes. Interceptors run in the order of imports in AppModule, so this module comes first. */
@Global()
@Module({})
export class HttpModule {
  static of(logger: Logger): DynamicModule {
    return {
      module: HttpModule,
      providers: [
        { provide: LOGGER, useValue: logger },
        ErrorFilter,
        { provide: APP_FILTER, useExisting: ErrorFilter },
        { provide: APP_INTERCEPTOR, useClass: BodyInterceptor },
        { provide: APP_PIPE, useClass: RequestPipe },
      ],
      exports: [LOGGER, ErrorFilter],
    };
  }
}
