import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { AppCaller } from '../../../access/caller';
import { NotFound } from '../../../common/errors/errors';
import { toDateTime } from '../../../common/time/format';
import { Clock } from '../../../common/time/clock';
import { type Tx, Transactions } from '../../../infrastructure/database/transactions';
import type { Contact } from '../../contacts/contact';
import { PersonalData, type PersonalDataSource } from '../../contacts/personal-data/personal-data';
import { LinkAssociationRows } from './link-associations.repository';
import type { AssociateRequest, AssociationResponse, AssociationType } from './link-associations.dto';
import { OwnTargets } from '../resolutions/owned-links';

/** What a path of a short domain names. */
interface Named {
  shortCode: string;
  appPath?: string | null;
}

/** Links users' push tokens to the links and campaigns that led to them (doc 3 §4). */
@Injectable()
export class LinkAssociations implements PersonalDataSource, OnModuleInit {
  readonly name = 'linkAssociations';

  constructor(
    private readonly targets: OwnTargets,
    private readonly rows: LinkAssociationRows,
    private readonly persons: PersonalData,
    private readonly tx: Transactions,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.persons.register(this);
  }

  /** Once for each link or campaign and tokenidx: a later call says whose it is now. @throws NotFound */
  async associate(
    app: AppCaller,
    named: Named,
    type: AssociationType,
    { tokenidx, identify }: AssociateRequest,
  ): Promise<AssociationResponse> {
    const target = await this.targetOf(app, named, type);
    if (!target) throw new NotFound(type === 'url' ? 'Link' : 'Campaign');
    const { organizationId, appId } = app;
    const associatedAt = this.clock.date();
    const of = { kind: target.kind, id: target.id };
    await this.tx.run((tx) =>
      this.rows.upsert(tx, { organizationId, appId, target: of, tokenidx, identify, associatedAt }),
    );
    return { success: true, type, shortCode: target.code, tokenidx, identify };
  }

  async find(person: Contact): Promise<object[]> {
    const found = await this.rows.of(person.organizationId, knownOf(person));
    return found.map(({ target, tokenidx, identify, associatedAt }) => ({
      type: target.kind === 'link' ? 'url' : 'campaign',
      id: target.id,
      tokenidx,
      identify,
      associatedAt: toDateTime(associatedAt),
    }));
  }

  forget(tx: Tx, person: Contact): Promise<void> {
    return this.rows.forget(tx, person.organizationId, knownOf(person));
  }

  private targetOf(app: AppCaller, { shortCode, appPath = null }: Named, type: AssociationType) {
    return type === 'url'
      ? this.targets.link(app, shortCode, appPath)
      : this.targets.campaign(app, shortCode, appPath);
  }
}

/** By any name that the customer may have given: none of them is prescribed. */
function knownOf({ externalUserId, pushIdentify, pushTokenIdx }: Contact) {
  const identifies = [externalUserId, pushIdentify].filter((identify) => identify !== null);
  return { identifies, tokenidx: pushTokenIdx === null ? null : String(pushTokenIdx) };
}
