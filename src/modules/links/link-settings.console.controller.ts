import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { settingsConsoleController } from '../tracked-links/settings/settings.console.controller';
import { TrackedLinkSettings } from '../tracked-links/settings/tracked-link-settings';
import { LinksRepository } from './links.repository';
import { LinksService } from './links.service';

@ApiTags('Console: links')
@Controller('api/v1/console/organizations/:organizationId/links/:id/settings')
export class LinkSettingsConsoleController extends settingsConsoleController('Link') {
  constructor(links: LinksRepository, service: LinksService) {
    super(new TrackedLinkSettings(links, service));
  }
}
