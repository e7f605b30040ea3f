import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller';
import { takeRoom } from '../../access/organizations/room';
import { Clock } from '../../common/time/clock';
import { toDateTime } from '../../common/time/format';
import { parseDateTime } from '../../common/time/parse';
import {
  newTrackedLink,
  suppliedFields,
  utmOfUpdate,
  checkDomain,
  checkTimes,
} from '../tracked-links/fields/tracked-link-fields';
import { ExistingTrackedLinks } from '../tracked-links/find-if-exists/existing-tracked-links';
import type { NewTrackedLink } from '../tracked-links/tracked-links.repository';
import { TrackedLinkChanges } from '../tracked-links/tracked-link-changes';
import type { ChangesOf } from '../tracked-links/changes-of';
import { TrackedLinkRules } from '../tracked-links/tracked-link-rules';
import type { Campaign } from './campaign.entity';
import { foldName } from './fold-name';
import type { CreateCampaignRequest, UpdateCampaignRequest } from './campaigns.dto';
import { type CountedCampaign, CampaignsRepository } from './campaigns.repository';
import { Database } from '../../infrastructure/database/database';
import type { Tx } from '../../infrastructure/database/tx';

/** See docs/concepts/links.md. */
@Injectable()
export class CampaignsService {
  private readonly changes: ChangesOf<Campaign>;

  constructor(
    private readonly repository: CampaignsRepository,
    private readonly database: Database,
    private readonly rules: TrackedLinkRules,
    changes: TrackedLinkChanges,
    private readonly clock: Clock,
    private readonly existing: ExistingTrackedLinks,
  ) {
    this.changes = changes.of({
      repository,
      auditedChanges: ({ foldedName: _, ...changes }) => changes,
      auditedFields: ({ name, code: alias, originalUrl }) => ({ name, alias, originalUrl }),
    });
  }

  /** @throws ReservedAlias, DestinationNotAllowed, ValidationFailed, DomainNotUsable, AppNotUsable, AliasTaken */
  async create(caller: Caller, request: CreateCampaignRequest): Promise<Campaign> {
    const draft = await this.draftOf(caller, request);
    return this.database.write((tx) => this.insert(caller, draft, tx));
  }

  /** Finds a campaign with the same settings, or creates one. @throws as `create` */
  async findOrCreate(
    caller: Caller,
    request: CreateCampaignRequest,
  ): Promise<{ found: CountedCampaign } | { created: Campaign }> {
    const draft = await this.draftOf(caller, request);
    return this.existing.findOrCreate(this.repository, draft, (tx) => this.insert(caller, draft, tx));
  }

  private async insert(caller: Caller, draft: NewTrackedLink<Campaign>, tx: Tx): Promise<Campaign> {
    const { organizationId } = caller;
    await takeRoom(tx, organizationId, 'campaigns', () => this.repository.count(tx, organizationId));
    return this.changes.create(caller, draft, tx);
  }

  private async draftOf(caller: Caller, request: CreateCampaignRequest): Promise<NewTrackedLink<Campaign>> {
    const { organizationId } = caller;
    this.rules.checkAlias('alias', request.alias);
    await this.rules.checkDestinations(organizationId, request);
    const expiresAt = this.rules.expiryOf('expiresAt', request.expiresAt);
    const domainId = await this.rules.domainIdOf(organizationId, request.customDomainId);
    await this.rules.checkApps(organizationId, request);
    const { originalUrl, alias, name } = request;
    const validated = { domainId, alias, originalUrl, expiresAt, now: this.clock.date() };
    const shared = newTrackedLink(caller, request, validated);
    checkTimes(request, shared);
    return { ...shared, ...named(name), username: caller.username };
  }

  /**
   * @throws NotFound, DestinationNotAllowed, ValidationFailed, AppNotUsable, ReservedAlias, AliasTaken,
   * TooManyFormerAliases, ExternalIdTaken
   */
  async update(caller: Caller, id: number, request: UpdateCampaignRequest): Promise<Campaign> {
    await this.rules.checkDestinations(caller.organizationId, request);
    await this.rules.checkApps(caller.organizationId, request);
    const { alias, releaseOld } = request;
    return this.changes.change(caller, id, async (campaign, tx) => {
      checkDomain(campaign, request);
      const supplied = {
        ...suppliedFields(request),
        ...(request.name && named(request.name)),
        ...this.suppliedExpiry(request, campaign),
      };
      checkTimes(request, supplied, campaign);
      const move = { field: 'alias', alias, releaseOld } as const;
      return {
        ...supplied,
        ...utmOfUpdate(campaign, supplied),
        ...(await this.changes.moveCode(tx, campaign, move)),
      };
    });
  }

  /** A stored expiry may be sent back unchanged, even if it is in the past. @throws ValidationFailed */
  private suppliedExpiry(
    { expiresAt }: UpdateCampaignRequest,
    campaign: Campaign,
  ): Partial<Pick<Campaign, 'expiresAt'>> {
    const isPresent = expiresAt && toDateTime(parseDateTime(expiresAt)) === toDateTime(campaign.expiresAt);
    if (expiresAt === undefined || isPresent) return {};
    return { expiresAt: this.rules.expiryOf('expiresAt', expiresAt) };
  }

  /** @throws NotFound */
  change(caller: Caller, id: number, fieldsOf: (campaign: Campaign) => Partial<Campaign>): Promise<Campaign> {
    return this.changes.change(caller, id, fieldsOf);
  }

  /** @param disabledReason null enables the campaign again. @throws NotFound */
  disable(caller: Caller, id: number, disabledReason: string | null): Promise<Campaign> {
    const verb = disabledReason === null ? 'enable' : 'disable';
    return this.changes.change(caller, id, () => ({ disabledReason }), verb);
  }

  /** Soft-deletes the campaign: its link stops working within a second, and its alias stays taken. @throws NotFound */
  remove(caller: Caller, id: number): Promise<void> {
    return this.changes.remove(caller, id);
  }
}

function named(name: string): Pick<Campaign, 'name' | 'foldedName'> {
  return { name, foldedName: foldName(name) };
}
