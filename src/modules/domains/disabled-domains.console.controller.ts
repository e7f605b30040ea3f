import { disabledController } from '../../access/organizations/disabled.controller';
import { CustomDomainsService } from './custom-domains.service';
import { ConsoleController } from '../../access/service-controller';

const DisabledController = disabledController({
  operation: 'CustomDomain',
  noun: 'custom domain',
  effect:
    'Every link on it returns 410 within a second, no certificate is issued for it, and no new link can ' +
    'be created on it. Its owner cannot enable it, not even by deleting it and adding it again.',
});

@ConsoleController('custom-domains/:id/disabled', 'Console: custom domains')
export class DisabledDomainsConsoleController extends DisabledController {
  constructor(readonly resources: CustomDomainsService) {
    super();
  }
}
