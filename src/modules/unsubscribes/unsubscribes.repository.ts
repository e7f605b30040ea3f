import { Injectable } from '@nestjs/common';
import { Encryption } from '../../common/crypto/encryption';
import type { Channel } from '../../common/contact-values/channel-value';
import { BlindIndexes } from '../../infrastructure/encryption/blind-indexes';
import { type EncryptedColumn, EncryptedColumns } from '../../infrastructure/encryption/encrypted-columns';
import { ContactCells } from '../contacts/bulk/contact-cells';
import {
  DELETE,
  DELETIONS,
  EXISTS,
  FIND,
  FIND_BY_ID,
  HEAD,
  INSERT,
  KNOWN,
  LIST,
  LOCK_HEAD,
  MAKE_HEAD,
  NEWEST,
  NEW_IDS,
  REGISTERED_INDEXES,
} from './unsubscribe-statements';
import {
  type ChannelOf,
  channelCode,
  type Deletion,
  type ListedUnsubscribe,
  type NewUnsubscribe,
  type Removed,
  type Unsubscribe,
} from './unsubscribe';
import { Database, type Tx } from '../../infrastructure/database/database';

export const UNSUBSCRIBE_COLUMN: EncryptedColumn = {
  table: 'unsubscribes',
  column: 'sealed',
  byOrganization: true,
};

const { table, column } = UNSUBSCRIBE_COLUMN;

/** The last position of a channel, and its number of registered entries. */
export interface Head {
  readonly position: number;
  readonly total: number;
}

export interface FeedPage<Item> {
  readonly head: number;
  readonly items: Item[];
}

interface Headed {
  readonly head: number;
  readonly id: number | null;
}

interface ListRow {
  readonly id: number;
  readonly position: number;
  readonly unsubscribed_at: Date;
  readonly method: Unsubscribe['method'];
  readonly sealed: string;
}

interface Row extends ListRow {
  readonly created_at: Date;
}

/** Reads and writes `unsubscribes`, and hides how values are stored. */
@Injectable()
export class UnsubscribesRepository {
  constructor(
    private readonly database: Database,
    private readonly encryption: Encryption,
    private readonly blindIndexes: BlindIndexes,
    private readonly contactCells: ContactCells,
    columns: EncryptedColumns,
  ) {
    columns.register(UNSUBSCRIBE_COLUMN);
  }

  async find(of: ChannelOf, value: string): Promise<Unsubscribe | null> {
    const [row] = await this.database.hot<Row>(FIND, [...keyOf(of), this.hash(of, value)]);
    return row ? this.open(of, row) : null;
  }

  async findById(tx: Tx, of: ChannelOf, id: number): Promise<Unsubscribe | null> {
    const [row] = await tx.query<Row>(FIND_BY_ID, [...keyOf(of), id]);
    return row ? this.open(of, row) : null;
  }

  async exists(of: ChannelOf, value: string): Promise<boolean> {
    return (await this.database.hot(EXISTS, [...keyOf(of), this.hash(of, value)])).length > 0;
  }

  /** Positions in `values` of those that are registered. */
  async registeredIndexes(
    organizationId: number,
    values: readonly { channel: Channel; value: string }[],
    tx?: Tx,
  ): Promise<ReadonlySet<number>> {
    if (values.length === 0) return new Set();
    const codes = values.map(({ channel }) => channelCode(channel));
    const hashes = values.map(({ channel, value }) => this.hash({ organizationId, channel }, value));
    const parameters = [organizationId, codes, hashes];
    const rows = await this.database.hot<{ place: number }>(REGISTERED_INDEXES, parameters, tx);
    return new Set(rows.map(({ place }) => place));
  }

  async head(of: ChannelOf): Promise<Head> {
    const [head] = await this.database.hot<Head>(HEAD, keyOf(of));
    return head ?? { position: 0, total: 0 };
  }

  /** Entries after a position, oldest first, and the head in the same snapshot. */
  async list(of: ChannelOf, position: number, limit: number): Promise<FeedPage<ListedUnsubscribe>> {
    const rows = await this.database.hot<ListRow & Headed>(LIST, [...keyOf(of), position, limit]);
    return pageOf(rows, (row) => this.openListed(of, row));
  }

  /** A page of the entries in the order of opt-out times, newest first. */
  async newest(of: ChannelOf, offset: number, limit: number): Promise<ListedUnsubscribe[]> {
    const parameters = [...keyOf(of), offset, limit];
    const rows = await this.database.reportRows<ListRow>(of.organizationId, NEWEST, parameters);
    return rows.map((row) => this.openListed(of, row));
  }

  async deletions(of: ChannelOf, position: number, limit: number): Promise<FeedPage<Deletion>> {
    const rows = await this.database.hot<DeletionRow & Headed>(DELETIONS, [...keyOf(of), position, limit]);
    return pageOf(rows, (row) => deletionOf(row, this.unseal(of, row.id, row.sealed)[0]));
  }

  async known(tx: Tx, of: ChannelOf, values: readonly string[]): Promise<Set<string>> {
    const hashes = values.map((value) => this.hash(of, value));
    const rows = await tx.query<{ value_hash: Buffer }>(KNOWN, [...keyOf(of), hashes]);
    const found = new Set(rows.map((row) => row.value_hash.toString('hex')));
    return new Set(values.filter((_, i) => found.has(hashes[i]?.toString('hex') ?? '')));
  }

  /** Locks the channel against other changes until the transaction ends. @returns the last position */
  async lock(tx: Tx, of: ChannelOf): Promise<number> {
    const [head] = await tx.query<Head>(LOCK_HEAD, keyOf(of));
    if (head) return head.position;
    await tx.query(MAKE_HEAD, keyOf(of));
    const [created] = await tx.query<Head>(LOCK_HEAD, keyOf(of));
    return created?.position ?? 0;
  }

  /** New ids for entries and their deletions. On Citus, only a separate statement can assign them. */
  async newIds(tx: Tx, count: number): Promise<number[]> {
    const rows = await tx.query<{ id: number }>(NEW_IDS, [count]);
    return rows.map(({ id }) => id);
  }

  /** Assigns ids and encrypts entries. Called before `lock`, to keep the lock short. */
  async prepare(tx: Tx, of: ChannelOf, entries: readonly NewUnsubscribe[]): Promise<PreparedEntry[]> {
    const ids = await this.newIds(tx, entries.length);
    return entries.map((entry, i) => {
      const id = ids[i] ?? 0;
      const text = JSON.stringify([entry.value, entry.source]);
      const sealed = this.encryption.encrypt(text, cellOf(of, id));
      const contactIndex = this.contactIndex(of, entry.value);
      return { ...entry, id, sealed, hash: this.hash(of, entry.value), contactIndex };
    });
  }

  /** Inserts entries that are not registered. @param position returned by `lock` */
  async insert(
    tx: Tx,
    of: ChannelOf,
    entries: readonly PreparedEntry[],
    position: number,
    at: Date,
  ): Promise<Unsubscribe[]> {
    const rows = await tx.query<{ id: number; position: number }>(INSERT, [
      ...keyOf(of),
      entries.map(({ id }) => id),
      entries.map(({ hash }) => hash),
      entries.map(({ method }) => method),
      entries.map(({ sealed }) => sealed),
      entries.map(({ unsubscribedAt }) => unsubscribedAt),
      position,
      at,
      entries.map(({ contactIndex }) => contactIndex),
    ]);
    const byId = new Map(entries.map((entry) => [entry.id, entry]));
    return rows.flatMap((row) => {
      const entry = byId.get(row.id);
      if (!entry) return [];
      const { value, method, source, unsubscribedAt } = entry;
      return [{ ...row, value, method, source, unsubscribedAt, createdAt: at }];
    });
  }

  /**
   * Deletes registered entries.
   * @param removals values, each with the id of its deletion
   * @param position returned by `lock`
   */
  async delete(
    tx: Tx,
    of: ChannelOf,
    removals: ReadonlyMap<string, number>,
    position: number,
    at: Date,
  ): Promise<Removed[]> {
    const hashes = [...removals.keys()].map((value) => this.hash(of, value));
    const parameters = [...keyOf(of), hashes, position, at, [...removals.values()]];
    const rows = await tx.query<RemovedRow>(DELETE, parameters);
    return rows.map((row) => {
      const { method, unsubscribed_at: unsubscribedAt } = row;
      const [value, source] = this.unseal(of, row.id, row.sealed);
      return { ...deletionOf(row, value), method, source, unsubscribedAt };
    });
  }

  private hash({ organizationId, channel }: ChannelOf, value: string): Buffer {
    return this.blindIndexes.of(organizationId, `unsubscribes.${channel}`, value);
  }

  private contactIndex({ organizationId, channel }: ChannelOf, value: string): Buffer {
    return channel === 'EMAIL'
      ? this.contactCells.emailIndex(organizationId, value)
      : this.contactCells.phoneIndex(organizationId, value);
  }

  private open(of: ChannelOf, row: Row): Unsubscribe {
    return { ...this.openListed(of, row), createdAt: row.created_at };
  }

  private openListed(of: ChannelOf, row: ListRow): ListedUnsubscribe {
    const { id, position, method, unsubscribed_at: unsubscribedAt } = row;
    const [value, source] = this.unseal(of, id, row.sealed);
    return { id, position, value, method, source, unsubscribedAt };
  }

  private unseal(of: ChannelOf, id: number, sealed: string): [value: string, source: string | null] {
    return JSON.parse(this.encryption.decrypt(sealed, cellOf(of, id))) as [string, string | null];
  }
}

/** @param rows of an empty page: one row with nothing but the head */
function pageOf<Row extends Headed, Item>(rows: readonly Row[], open: (row: Row) => Item): FeedPage<Item> {
  return { head: rows[0]?.head ?? 0, items: rows.filter(({ id }) => id !== null).map(open) };
}

function deletionOf(row: DeletionRow, value: string): Deletion {
  const { deletion_id: id, deletion_position: position, id: sourceId, deleted_at: deletedAt } = row;
  return { id, position, sourceId, value, deletedAt };
}

interface DeletionRow {
  readonly id: number;
  readonly deletion_id: number;
  readonly deletion_position: number;
  readonly deleted_at: Date;
  readonly sealed: string;
}

type RemovedRow = DeletionRow & Pick<ListRow, 'method' | 'unsubscribed_at'>;

/** An encrypted entry with its id. */
export interface PreparedEntry extends NewUnsubscribe {
  readonly id: number;
  readonly sealed: string;
  readonly hash: Buffer;
  readonly contactIndex: Buffer;
}

function keyOf({ organizationId, channel }: ChannelOf): [number, number] {
  return [organizationId, channelCode(channel)];
}

function cellOf({ organizationId }: ChannelOf, rowId: number) {
  return { table, column, organizationId, rowId };
}
