import { Global, Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { EditInterceptor } from './edit.interceptor';

/** Import it after HttpModule, whose middleware parses the body that edits are compared by. */
@Global()
@Module({ providers: [{ provide: APP_INTERCEPTOR, useClass: EditInterceptor }] })
export class EditsModule {}
