import { Module } from '@nestjs/common';
import { ClicksModule } from '../clicks/clicks.module';
import { DomainsModule } from '../domains/domains.module';
import { LinksModule } from '../links/links.module';
import { RedirectListener } from './redirect.listener';

/** The hot path: host and path in, answer out. */
@Module({
  imports: [LinksModule, DomainsModule, ClicksModule],
  providers: [RedirectListener],
  exports: [RedirectListener],
})
export class RedirectModule {}
