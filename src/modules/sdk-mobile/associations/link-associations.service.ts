import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { AppCaller } from '../../../access/caller';
import { NotFound } from '../../../common/errors/errors';
import { toDateTime } from '../../../common/time/format';
import { Clock } from '../../../common/time/clock';
import type { Contact } from '../../contacts/contact';
import { PersonalData, type PersonalDataSource } from '../../contacts/personal-data/personal-data';
import { LinkAssociationsRepository } from './link-associations.repository';
import type { AssociateRequest, AssociationResponse, AssociationType } from './link-associations.dto';
import { OwnedLinks } from '../resolutions/owned-links';
import { Database, type Tx } from '../../../infrastructure/database/database';

/**
 * Associates users' push tokens with the links and campaigns that acquired them
 * (docs/concepts/deep-links.md#what-the-app-asks).
 */
@Injectable()
export class LinkAssociations implements PersonalDataSource, OnModuleInit {
  readonly name = 'linkAssociations';

  constructor(
    private readonly trackedLinks: OwnedLinks,
    private readonly rows: LinkAssociationsRepository,
    private readonly persons: PersonalData,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.persons.register(this);
  }

  /**
   * Associates a token; each link or campaign and tokenidx has one association, which a later call reassigns. @throws
   * NotFound
   */
  async associate(
    app: AppCaller,
    { shortCode, appPath = null }: { shortCode: string; appPath?: string | null },
    type: AssociationType,
    { tokenidx, identify }: AssociateRequest,
  ): Promise<AssociationResponse> {
    const trackedLink =
      type === 'url'
        ? await this.trackedLinks.link(app, shortCode, appPath)
        : await this.trackedLinks.campaign(app, shortCode, appPath);
    if (!trackedLink) throw new NotFound(type === 'url' ? 'Link' : 'Campaign');
    const { organizationId, appId } = app;
    const associatedAt = this.clock.date();
    const of = { kind: trackedLink.kind, id: trackedLink.id };
    await this.database.write((tx) =>
      this.rows.upsert(tx, { organizationId, appId, trackedLink: of, tokenidx, identify, associatedAt }),
    );
    return { success: true, type, shortCode: trackedLink.code, tokenidx, identify };
  }

  async find(person: Contact): Promise<object[]> {
    const found = await this.rows.of(person.organizationId, knownOf(person));
    return found.map(({ trackedLink, tokenidx, identify, associatedAt }) => ({
      type: trackedLink.kind === 'link' ? 'url' : 'campaign',
      id: trackedLink.id,
      tokenidx,
      identify,
      associatedAt: toDateTime(associatedAt),
    }));
  }

  forget(tx: Tx, person: Contact): Promise<void> {
    return this.rows.forget(tx, person.organizationId, knownOf(person));
  }
}

/** All identifiers of the contact, because customers may use any of them as `identify`. */
function knownOf({ externalUserId, pushIdentify, pushTokenIdx }: Contact) {
  const identifies = [externalUserId, pushIdentify].filter((identify) => identify !== null);
  return { identifies, tokenidx: pushTokenIdx === null ? null : String(pushTokenIdx) };
}
