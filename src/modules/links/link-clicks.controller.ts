import { ApiTags } from '@nestjs/swagger';
import { ServiceController } from '../../access/service-controller';
import { ClickExport } from '../click-statistics/click-log/click-export';
import { ClickLog } from '../click-statistics/click-log/click-log';
import { clickLogController } from '../click-statistics/click-log/click-log.controller';
import { LinksRepository } from './links.repository';

@ApiTags('Short links')
@ServiceController('urls/:id/clicks')
export class LinkClicksController extends clickLogController({
  kind: 'link',
  operation: 'ShortUrl',
  noun: 'short link',
}) {
  constructor(
    readonly trackedLinks: LinksRepository,
    log: ClickLog,
    exports: ClickExport,
  ) {
    super(log, exports);
  }
}
