import { Injectable } from '@nestjs/common';
import { ValidationFailed } from '../../common/errors/errors';
import { Clock } from '../../common/time/clock';
import { parseDateTime } from '../../common/time/parse';
import { AppsService } from '../apps/apps.service';
import { DestinationPolicy } from '../domains/destination-policy';
import { DomainNotUsable, ReservedAlias } from '../domains/domains.errors';
import { DomainsService } from '../domains/domains.service';
import { isReservedWord } from '../domains/reserved-words';
import { DEFAULT_DOMAIN } from '../../common/target.entity';
import { AppNotUsable } from './targets.errors';

interface Destinations {
  url?: string | null;
  originalUrl?: string | null;
  mobileTargetUrl?: string | null;
}

interface LinkedApps {
  iosAppId?: number | null;
  androidAppId?: number | null;
}

/** What the fields of a link or campaign may mean, beyond their form. */
@Injectable()
export class TargetRules {
  constructor(
    private readonly destinations: DestinationPolicy,
    private readonly apps: AppsService,
    private readonly domains: DomainsService,
    private readonly clock: Clock,
  ) {}

  /** @throws DestinationNotAllowed naming the first field that leads where no link may */
  async checkDestinations(request: Destinations): Promise<void> {
    for (const field of ['url', 'originalUrl', 'mobileTargetUrl'] as const) {
      const value = request[field];
      if (value) await this.destinations.check(field, value);
    }
  }

  /** @throws ReservedAlias */
  checkAlias(field: string, alias: string | null | undefined): void {
    if (alias && isReservedWord(alias)) throw new ReservedAlias(field);
  }

  /** @throws ValidationFailed when that time has passed */
  expiryOf(field: string, text: string | null | undefined): Date | null {
    if (!text) return null;
    const expiry = parseDateTime(text);
    if (!expiry || expiry.getTime() <= this.clock.now()) {
      throw ValidationFailed.field(field, 'must be in the future');
    }
    return expiry;
  }

  /** @throws AppNotUsable naming the field */
  async checkApps(organizationId: number, request: LinkedApps): Promise<void> {
    const { iosAppId, androidAppId } = request;
    if (iosAppId && !(await this.apps.findUsable(organizationId, iosAppId, 'iOS'))) {
      throw new AppNotUsable('iosAppId', 'iOS');
    }
    if (androidAppId && !(await this.apps.findUsable(organizationId, androidAppId, 'Android'))) {
      throw new AppNotUsable('androidAppId', 'Android');
    }
  }

  /** @throws DomainNotUsable */
  async domainIdOf(organizationId: number, customDomainId: number | null | undefined): Promise<number> {
    if (!customDomainId) return DEFAULT_DOMAIN;
    const domain = await this.domains.findUsable(organizationId, customDomainId);
    if (!domain) throw new DomainNotUsable();
    return domain.id;
  }
}
