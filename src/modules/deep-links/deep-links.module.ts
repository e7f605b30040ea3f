import { Module } from '@nestjs/common';
import { AppPageTokens } from './app-page-tokens';

/** What leads from a click into an app: tokens, funnel sessions, installs. */
@Module({ providers: [AppPageTokens], exports: [AppPageTokens] })
export class DeepLinksModule {}
