import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/caller';
import { disabledController } from '../../access/organizations/disabled.controller';
import { CustomDomainsService } from './custom-domains.service';

const DisabledController = disabledController({
  operation: 'CustomDomain',
  noun: 'custom domain',
  effect:
    'Every link on it returns 410 within a second, no certificate is issued for it, and no new link can ' +
    'be created on it. Its owner cannot enable it, not even by deleting it and adding it again.',
});

@ApiTags('Console: custom domains')
@Controller('api/v1/console/organizations/:organizationId/custom-domains/:id/disabled')
export class DisabledDomainsConsoleController extends DisabledController {
  constructor(private readonly domains: CustomDomainsService) {
    super();
  }

  override setDisabled(caller: Caller, id: number, reason: string | null): Promise<unknown> {
    return this.domains.disable(caller, id, reason);
  }
}
