import { Injectable } from '@nestjs/common';
import type { TrackedLinkKind } from '../clicks/click';
import { NotFound } from '../../common/errors/errors';
import { Database } from '../../infrastructure/database/database';

const TABLES: Readonly<Record<TrackedLinkKind, string>> = { link: 'links', campaign: 'campaigns' };
const NAMES: Readonly<Record<TrackedLinkKind, string>> = { link: 'Link', campaign: 'Campaign' };

/** Restricts queries to the organization's own links and campaigns, including deleted ones, whose figures are kept. */
@Injectable()
export class OwnedTrackedLinks {
  constructor(private readonly database: Database) {}

  /** @throws NotFound */
  async check(organizationId: number, kind: TrackedLinkKind, id: number): Promise<void> {
    const rows = await this.database.read(
      `SELECT FROM ${TABLES[kind]} WHERE id = $2 AND organization_id = $1`,
      [organizationId, id],
    );
    if (rows.length === 0) throw new NotFound(NAMES[kind]);
  }
}
