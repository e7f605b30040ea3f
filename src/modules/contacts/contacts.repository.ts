import { Injectable } from '@nestjs/common';
import { NotFound } from '../../common/errors/errors';
import type { Contact } from './contact';
import { ContactCells } from './bulk/contact-cells';
import { READ_COLUMNS, type StoredContact, WRITTEN_COLUMNS } from './contact-row';
import { Database, type Tx } from '../../infrastructure/database/database';

const SELECT = `SELECT ${READ_COLUMNS.join(', ')} FROM contacts`;
const ROWS = 'json_populate_recordset(NULL::contacts, $1::json)';
const WRITTEN = WRITTEN_COLUMNS.join(', ');

/** A contact, and the number of active contacts that share the phone number or address it was found by. */
interface Found {
  readonly contact: Contact;
  readonly matches: number;
}

/** Reads and writes `contacts`, with encryption. */
@Injectable()
export class ContactsRepository {
  constructor(
    private readonly database: Database,
    private readonly cells: ContactCells,
  ) {}

  /** The organization's active contact with that id. @throws NotFound */
  get(organizationId: number, id: number): Promise<Contact> {
    const of = 'WHERE organization_id = $1 AND id = $2 AND deactivated_at IS NULL';
    return this.one(of, [organizationId, id]);
  }

  /** The organization's contact with that id, active or not. @throws NotFound */
  getAny(organizationId: number, id: number, tx?: Tx): Promise<Contact> {
    return this.one('WHERE organization_id = $1 AND id = $2', [organizationId, id], tx);
  }

  /** The contacts with these ids that exist, in the same order. */
  async getMany(organizationId: number, ids: readonly number[], tx?: Tx): Promise<Contact[]> {
    const of = 'WHERE organization_id = $1 AND id = ANY ($2)';
    const contacts = await this.select(of, [organizationId, ids], tx);
    const byId = new Map(contacts.map((contact) => [contact.id, contact]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  /** The most recently changed active contact with that phone number, and how many have it. @throws NotFound */
  getByPhone(organizationId: number, phone: string): Promise<Found> {
    return this.lastChanged('phone_index', organizationId, this.cells.phoneIndex(organizationId, phone));
  }

  /** The most recently changed active contact with that e-mail address, and how many have it. @throws NotFound */
  getByEmail(organizationId: number, email: string): Promise<Found> {
    return this.lastChanged('email_index', organizationId, this.cells.emailIndex(organizationId, email));
  }

  /** The active contact with that member id. @throws NotFound */
  getByMember(organizationId: number, externalUserId: string): Promise<Contact> {
    const of = 'WHERE organization_id = $1 AND external_user_id = $2 AND deactivated_at IS NULL';
    return this.one(of, [organizationId, externalUserId]);
  }

  /** The contact with that id, locked until the transaction ends. @throws NotFound */
  lock(tx: Tx, organizationId: number, id: number, of: 'active' | 'all' = 'active'): Promise<Contact> {
    const active = of === 'active' ? 'AND deactivated_at IS NULL' : '';
    return this.one(`WHERE organization_id = $1 AND id = $2 ${active} FOR UPDATE`, [organizationId, id], tx);
  }

  /** The contact with that member id, active or not. */
  async findMember(tx: Tx, organizationId: number, externalUserId: string): Promise<Contact | null> {
    const of = 'WHERE organization_id = $1 AND external_user_id = $2';
    const [contact] = await this.select(of, [organizationId, externalUserId], tx);
    return contact ?? null;
  }

  /** Locks the contacts with these member ids, including deactivated ones, in a fixed order to avoid deadlocks. */
  lockMembers(tx: Tx, organizationId: number, externalUserIds: readonly string[]): Promise<Contact[]> {
    const of =
      'WHERE organization_id = $1 AND external_user_id = ANY ($2) ORDER BY external_user_id FOR UPDATE';
    return this.select(of, [organizationId, externalUserIds], tx);
  }

  /** Reserves ids for new contacts, because their encryption is bound to the id. */
  async reserveIds(tx: Tx, count: number): Promise<number[]> {
    if (count === 0) return [];
    const sql = `SELECT nextval('contact_ids') AS id FROM generate_series(1, $1)`;
    const rows = await tx.query<{ id: number }>(sql, [count]);
    return rows.map(({ id }) => id);
  }

  /**
   * Inserts contacts, except those whose member id another transaction has inserted meanwhile.
   * @returns ids of the inserted contacts
   */
  async insert(tx: Tx, contacts: readonly Contact[]): Promise<Set<number>> {
    if (contacts.length === 0) return new Set();
    const rows = await tx.query<{ id: number }>(
      `INSERT INTO contacts (${WRITTEN}) SELECT ${WRITTEN} FROM ${ROWS}
       ON CONFLICT (organization_id, external_user_id) WHERE external_user_id IS NOT NULL DO NOTHING RETURNING id`,
      [this.toJson(contacts)],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Updates all columns of contacts whose rows the transaction has locked. */
  async update(tx: Tx, contacts: readonly Contact[]): Promise<void> {
    if (contacts.length === 0) return;
    const columns = WRITTEN_COLUMNS.filter((column) => column !== 'organization_id' && column !== 'id');
    await tx.execute(
      `UPDATE contacts AS c SET ${columns.map((column) => `${column} = r.${column}`).join(', ')}
         FROM ${ROWS} AS r WHERE c.organization_id = r.organization_id AND c.id = r.id`,
      [this.toJson(contacts)],
    );
  }

  async remove(tx: Tx, { organizationId, id }: Contact): Promise<void> {
    await tx.execute('DELETE FROM contacts WHERE organization_id = $1 AND id = $2', [organizationId, id]);
  }

  private async lastChanged(column: string, organizationId: number, index: Buffer): Promise<Found> {
    const having = `WHERE organization_id = $1 AND ${column} = $2 AND deactivated_at IS NULL`;
    const parameters = [organizationId, index];
    const contact = await this.one(`${having} ORDER BY updated_at DESC, id DESC LIMIT 1`, parameters);
    const sql = `SELECT count(*) AS count FROM contacts ${having}`;
    const { count } = await this.database.single<{ count: number }>(sql, parameters);
    return { contact, matches: count };
  }

  private async one(rest: string, parameters: unknown[], tx?: Tx): Promise<Contact> {
    const [contact] = await this.select(rest, parameters, tx);
    if (!contact) throw new NotFound('Contact');
    return contact;
  }

  private async select(rest: string, parameters: unknown[], tx?: Tx): Promise<Contact[]> {
    const sql = `${SELECT} ${rest}`;
    const rows = tx
      ? await tx.query<StoredContact>(sql, parameters)
      : await this.database.read<StoredContact>(sql, parameters);
    return rows.map((row) => this.cells.open(row));
  }

  private toJson(contacts: readonly Contact[]): string {
    return JSON.stringify(contacts.map((contact) => this.cells.seal(contact)));
  }
}
