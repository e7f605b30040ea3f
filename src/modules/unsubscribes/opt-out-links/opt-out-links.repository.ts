import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Encryption } from '../../../common/crypto/encryption';
import type { Channel } from '../../../common/contact-values/channel-value';
import { Database, type Tx } from '../../../infrastructure/database/database';
import { type EncryptedColumn, EncryptedColumns } from '../../../infrastructure/encryption/encrypted-columns';
import { type ChannelOf, channelCode, channelOf } from '../unsubscribe';
import { OptOutLinkRow } from './opt-out-link.entity';

export const OPT_OUT_LINK_COLUMN: EncryptedColumn = {
  table: 'opt_out_links',
  column: 'sealed',
  byOrganization: true,
};

/** A link to an opt-out page. */
export interface OptOutLink extends ChannelOf {
  readonly id: number;
  readonly channel: Channel;
  readonly token: string;
  /** Normalized; null: the page asks for it. */
  readonly value: string | null;
  readonly campaign: string | null;
  readonly createdAt: Date;
}

/** Reads and writes `opt_out_links`. Tokens are stored as hashes, so that a database dump cannot opt anybody out. */
@Injectable()
export class OptOutLinksRepository {
  constructor(
    @InjectRepository(OptOutLinkRow) private readonly links: Repository<OptOutLinkRow>,
    private readonly database: Database,
    private readonly encryption: Encryption,
    columns: EncryptedColumns,
  ) {
    columns.register(OPT_OUT_LINK_COLUMN);
  }

  async insert(tx: Tx, link: Omit<OptOutLink, 'id'>): Promise<OptOutLink> {
    const { organizationId, channel, token, value, campaign, createdAt } = link;
    const [next] = await tx.query<{ id: number }>(
      `SELECT nextval(pg_get_serial_sequence('opt_out_links', 'id')) AS id`,
    );
    const id = next?.id ?? 0;
    const text = JSON.stringify([token, value, campaign]);
    const sealed = this.encryption.encrypt(text, cellOf(organizationId, id));
    await tx.repository(OptOutLinkRow).insert({
      organizationId,
      id,
      channel: channelCode(channel),
      tokenHash: hashOf(token),
      sealed,
      createdAt,
    });
    return { ...link, id };
  }

  /** Links, newest first. */
  async list(organizationId: number, page: number, size: number): Promise<[OptOutLink[], total: number]> {
    const [rows, total] = await this.database.report(organizationId, (tx) =>
      tx.repository(OptOutLinkRow).findAndCount({
        where: { organizationId },
        order: { id: 'DESC' },
        skip: page * size,
        take: size,
      }),
    );
    return [rows.map((row) => this.open(row)), total];
  }

  async find(token: string, organizationId: number): Promise<OptOutLink | null> {
    const row = await this.links.findOneBy({ tokenHash: hashOf(token), organizationId });
    return row && this.open(row);
  }

  private open({ id, organizationId, channel, sealed, createdAt }: OptOutLinkRow): OptOutLink {
    const text = this.encryption.decrypt(sealed, cellOf(organizationId, id));
    const [token, value, campaign] = JSON.parse(text) as [string, string | null, string | null];
    return { id, organizationId, channel: channelOf(channel), token, value, campaign, createdAt };
  }
}

/** Without a salt, because tokens have at least 128 bits. */
function hashOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

function cellOf(organizationId: number, rowId: number) {
  return { table: OPT_OUT_LINK_COLUMN.table, column: OPT_OUT_LINK_COLUMN.column, organizationId, rowId };
}
