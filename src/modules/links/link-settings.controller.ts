import { ApiTags } from '@nestjs/swagger';
import { ServiceController } from '../../access/service-controller';
import { settingsController } from '../tracked-links/settings/settings.controller';
import { TrackedLinkSettings } from '../tracked-links/settings/tracked-link-settings';
import { LinksRepository } from './links.repository';
import { LinksService } from './links.service';

@ApiTags('Short links')
@ServiceController('links/:id/settings')
export class LinkSettingsController extends settingsController('Link') {
  constructor(links: LinksRepository, service: LinksService) {
    super(new TrackedLinkSettings(links, service));
  }
}
