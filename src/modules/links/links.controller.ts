import { ApiTags } from '@nestjs/swagger';
import { ServiceController } from '../../access/service-controller';
import { bulkController } from '../tracked-links/api/bulk.controller';
import { BulkParts } from '../tracked-links/api/bulk-parts';
import { trackedLinksController } from '../tracked-links/api/tracked-links.controller';
import { QrService } from '../tracked-links/qr/qr.service';
import type { Link } from './link.entity';
import { LINK_FACE } from './link-face';
import { LinksService } from './links.service';
import type { ShortUrlResponse } from './short-url.dto';

@ApiTags('Short links')
@ServiceController('urls')
export class LinksController extends trackedLinksController<Link, ShortUrlResponse>(LINK_FACE) {
  constructor(
    readonly service: LinksService,
    qr: QrService,
  ) {
    super(qr);
  }
}

@ApiTags('Short links')
@ServiceController('urls')
export class LinksBulkController extends bulkController<Link, ShortUrlResponse>(LINK_FACE) {
  constructor(
    readonly service: LinksService,
    parts: BulkParts,
  ) {
    super(parts);
  }
}
