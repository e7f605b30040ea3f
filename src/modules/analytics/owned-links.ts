import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { TargetKind } from '../clicks/tracked-link-kind';
import { NotFound } from '../../common/errors/errors';

const TABLES: Readonly<Record<TargetKind, string>> = { link: 'links', campaign: 'campaigns' };
const NAMES: Readonly<Record<TargetKind, string>> = { link: 'Link', campaign: 'Campaign' };

/** Links and campaigns that an organization may ask about: its own. Deleted ones have their figures still. */
@Injectable()
export class OwnedTargets {
  constructor(private readonly dataSource: DataSource) {}

  /** @throws NotFound */
  async check(organizationId: number, kind: TargetKind, id: number): Promise<void> {
    const rows = await this.dataSource.query<unknown[]>(
      `SELECT FROM ${TABLES[kind]} WHERE id = $2 AND organization_id = $1`,
      [organizationId, id],
    );
    if (rows.length === 0) throw new NotFound(NAMES[kind]);
  }
}
