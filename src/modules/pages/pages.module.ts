import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { VisitorPages } from './visitor-pages';

/** Pages for visitors: texts by language, layout, and the organization's branding. */
@Module({ imports: [AccessModule], providers: [VisitorPages], exports: [VisitorPages] })
export class PagesModule {}
