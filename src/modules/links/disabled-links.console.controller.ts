import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/caller';
import { disabledController } from '../../access/organizations/disabled.controller';
import { LinksService } from './links.service';

const DisabledController = disabledController({
  operation: 'Link',
  noun: 'link',
  effect:
    'It answers 410 within a second, and its clicks are not counted. Its owner sees the reason, but can neither enable ' +
    'it nor reuse its alias. A repeated call replaces the reason.',
});

@ApiTags('Console: links')
@Controller('api/v1/console/organizations/:organizationId/links/:id/disabled')
export class DisabledLinksConsoleController extends DisabledController {
  constructor(private readonly links: LinksService) {
    super();
  }

  override setDisabled(caller: Caller, id: number, reason: string | null): Promise<unknown> {
    return this.links.disable(caller, id, reason);
  }
}
