import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { DeepLinksModule } from '../deep-links/deep-links.module';
import { anyOrigin } from './cors';
import { WebDeepLinksController } from './web-deep-links.controller';

/** The Web SDK API: what pages in browsers call, without a key. */
@Module({ imports: [DeepLinksModule], controllers: [WebDeepLinksController] })
export class SdkWebModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(anyOrigin).forRoutes('api/v1/sdk/web/*path');
  }
}
