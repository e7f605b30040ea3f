import { Injectable } from '@nestjs/common';
import { AuditLog, changesBetween } from '../../../access/audit/audit-log';
import type { Caller } from '../../../access/caller';
import { randomBase62 } from '../../../common/base62';
import type { PageQuery } from '../../../common/pagination/page';
import { Clock } from '../../../common/time/clock';
import { type OptOutLink, OptOutLinksRepository } from './opt-out-links.repository';
import type { CreateOptOutLinkRequest } from './opt-out-links.dto';
import { valueOf } from '../unsubscribe-values';
import { Database } from '../../../infrastructure/database/database';

/** 131 bits of entropy. */
const TOKEN_LENGTH = 22;

/** Creates and lists opt-out links for the console. */
@Injectable()
export class OptOutLinksService {
  constructor(
    private readonly rows: OptOutLinksRepository,
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  list({ organizationId }: Caller, { page, size }: PageQuery): Promise<[OptOutLink[], total: number]> {
    return this.rows.list(organizationId, page, size);
  }

  /** @throws ValidationFailed */
  async create(
    caller: Caller,
    { channel, value: text, campaign }: CreateOptOutLinkRequest,
  ): Promise<OptOutLink> {
    const { organizationId, organization } = caller;
    const given = text === undefined || text === null || text === '' ? null : text;
    const draft = {
      organizationId,
      channel,
      token: randomBase62(TOKEN_LENGTH),
      value: given === null ? null : valueOf(channel, given, organization.defaultRegion),
      campaign: campaign === undefined || campaign === '' ? null : campaign,
      createdAt: this.clock.date(),
    };
    return this.database.write(async (tx) => {
      const link = await this.rows.insert(tx, draft);
      await this.audit.record(tx, caller, {
        action: 'opt_out_link.create',
        resourceType: 'opt_out_link',
        resourceId: link.id,
        changes: changesBetween({}, { channel, personal: link.value !== null }),
      });
      return link;
    });
  }
}
