import { Global, Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { IdempotencyInterceptor } from './idempotency.interceptor';
import { KeptAnswers } from './idempotency-store';

/** Import it after HttpModule: the body is part of what a key stands for, so it must have been read. */
@Global()
@Module({
  providers: [KeptAnswers, { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor }],
  exports: [KeptAnswers],
})
export class IdempotencyModule {}
