import { Global, Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { EditInterceptor } from './edit.interceptor';

/** Import it after HttpModule: edits are checked against the body, which must have been parsed. */
@Global()
@Module({ providers: [{ provide: APP_INTERCEPTOR, useClass: EditInterceptor }] })
export class EditsModule {}
