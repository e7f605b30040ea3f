import { disabledController } from '../../access/organizations/disabled.controller';
import { ServiceController, ConsoleController } from '../../access/service-controller';
import { ClickExport } from '../click-statistics/click-log/click-export';
import { ClickLog } from '../click-statistics/click-log/click-log';
import { clickLogController } from '../click-statistics/click-log/click-log.controller';
import { BulkParts } from '../tracked-links/api/bulk-parts';
import { bulkController } from '../tracked-links/api/bulk.controller';
import { trackedLinksController } from '../tracked-links/api/tracked-links.controller';
import { QrService } from '../tracked-links/qr/qr.service';
import { settingsController } from '../tracked-links/settings/settings.controller';
import { TrackedLinkSettings } from '../tracked-links/settings/tracked-link-settings';
import { LINK_FACE } from './link-face';
import type { Link } from './link.entity';
import { LinksRepository } from './links.repository';
import { LinksService } from './links.service';
import type { ShortUrlResponse } from './short-url.dto';

@ServiceController('urls', 'Short links')
export class LinksController extends trackedLinksController<Link, ShortUrlResponse>(LINK_FACE) {
  constructor(
    readonly service: LinksService,
    qr: QrService,
  ) {
    super(qr);
  }
}

@ServiceController('urls', 'Short links')
export class LinksBulkController extends bulkController<Link, ShortUrlResponse>(LINK_FACE) {
  constructor(
    readonly service: LinksService,
    parts: BulkParts,
  ) {
    super(parts);
  }
}

@ServiceController('urls/:id/clicks', 'Short links')
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

@ServiceController('links/:id/settings', 'Short links')
export class LinkSettingsController extends settingsController('Link') {
  constructor(links: LinksRepository, service: LinksService) {
    super(new TrackedLinkSettings(links, service));
  }
}

const DisabledController = disabledController({
  operation: 'Link',
  noun: 'link',
  effect:
    'It answers 410 within a second, and its clicks are not counted. Its owner sees the reason, but can neither enable ' +
    'it nor reuse its alias. A repeated call replaces the reason.',
});

@ConsoleController('links/:id/disabled', 'Console: links')
export class DisabledLinksConsoleController extends DisabledController {
  constructor(readonly resources: LinksService) {
    super();
  }
}
