import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { VisitorPages } from './visitor-pages';

/** What visitors read: texts by language, layout, and the organization's brand. */
@Module({ imports: [AccessModule], providers: [VisitorPages], exports: [VisitorPages] })
export class PagesModule {}
