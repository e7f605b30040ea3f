import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { anyOrigin } from '../../common/http/cors';
import { AppsModule } from '../apps/apps.module';
import { AttributionModule } from '../attribution/attribution.module';
import { DebugSchemesService } from './debug-schemes.service';
import { DebugSchemesConsoleController, DebugSchemesController } from './debug-schemes.controller';
import { WebDeepLinksController } from './web-deep-links.controller';
import { WebSdkFiles } from './web-sdk-files';
import { WebSdkFilesController } from './web-sdk-files.controller';
import { WebSdkController } from './web-sdk.controller';
import { DebugSchemeRow } from './debug-scheme.entity';

/** The Web SDK: its script, and the API that pages in browsers call without a key. */
@Module({
  imports: [TypeOrmModule.forFeature([DebugSchemeRow]), AppsModule, AttributionModule],
  controllers: [
    WebDeepLinksController,
    WebSdkController,
    WebSdkFilesController,
    DebugSchemesConsoleController,
    DebugSchemesController,
  ],
  providers: [DebugSchemesService, WebSdkFiles],
})
export class SdkWebModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    // docs/concepts/deep-links.md#calls-of-web-pages
    consumer.apply(anyOrigin()).forRoutes('api/v1/sdk/web/*path', 'sdk/web/*path');
  }
}
