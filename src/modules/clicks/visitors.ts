import { createHmac, hash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { BoundedCache } from '../../common/bounded-cache';
import { Database } from '../../infrastructure/database/database';

const DAY_MS = 86_400_000;
/** A week, and another in which late clicks may still come. */
export const WEEK_KEPT_DAYS = 15;
const ADDRESS_SALT = 'addresses';

/**
 * Keyed hashes of people. A visitor is one for a day: the day's salt is thrown away after it, and then nobody can
 * tell any more who it was. Different visitors of a day or week in some time zone are told apart by another hash, which
 * stands beside no click and goes after the week, as its salt does.
 */
@Injectable()
export class Visitors {
  /** More than a batch can need at once. */
  private readonly daySalts = new BoundedCache<string, string>(1_000);
  private readonly weekSalts = new BoundedCache<string, string>(100);
  private addressSalt: Buffer | null = null;

  constructor(private readonly database: Database) {}

  /** Call it once before `addressHash`, which must then work without Postgres. */
  async loadAddressSalt(): Promise<void> {
    this.addressSalt = await this.load(ADDRESS_SALT, null);
  }

  /** Hexadecimal hash of an address that stays the same, as de-duplication windows reach over midnight. */
  addressHash(ip: string): string {
    if (!this.addressSalt) throw new Error('The salt of addresses has not been loaded');
    return createHmac('sha256', this.addressSalt).update(ip).digest('hex').slice(0, 32);
  }

  /** Where something stands among all of its kind, from 0 up to 1: evenly spread, and the same each time. */
  placeOf(text: string): number {
    return Number.parseInt(this.addressHash(text).slice(0, 8), 16) / 2 ** 32;
  }

  /** Loads the salts of these UTC days (`YYYY-MM-DD`), for `visitorHash`. */
  async loadDays(days: Iterable<string>): Promise<void> {
    for (const day of days) {
      if (this.daySalts.has(day)) continue;
      const salt = await this.load(day, new Date(new Date(day).getTime() + 3 * DAY_MS));
      this.daySalts.set(day, salt.toString('hex'));
    }
  }

  /** 32 hexadecimal digits that name a visitor (address and user agent) on a day whose salt has been loaded. */
  visitorHash(day: string, ip: string, userAgent: string): string {
    const salt = this.daySalts.get(day);
    if (!salt) throw new Error('The salt of the day has not been loaded');
    return hash('sha256', `${salt}\n${ip}\n${userAgent}`).slice(0, 32);
  }

  /** Loads the salts of the weeks that begin on these Mondays (`YYYY-MM-DD`), for `weekVisitor`. */
  async loadWeeks(mondays: Iterable<string>): Promise<void> {
    for (const monday of mondays) {
      if (this.weekSalts.has(monday)) continue;
      const expiresAt = new Date(new Date(monday).getTime() + WEEK_KEPT_DAYS * DAY_MS);
      const salt = await this.load(`week ${monday}`, expiresAt);
      this.weekSalts.set(monday, salt.toString('hex'));
    }
  }

  /** A 64-bit number in decimals that names a visitor to an organization in a week whose salt has been loaded. */
  weekVisitor(monday: string, organizationId: number, ip: string, userAgent: string): string {
    const salt = this.weekSalts.get(monday);
    if (!salt) throw new Error('The salt of the week has not been loaded');
    const digits = hash('sha256', `${salt}\n${organizationId}\n${ip}\n${userAgent}`).slice(0, 16);
    return BigInt.asIntN(64, BigInt(`0x${digits}`)).toString();
  }

  private async load(name: string, expiresAt: Date | null): Promise<Buffer> {
    await this.database.prompt(
      `INSERT INTO click_salts (name, salt, expires_at) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING`,
      [name, randomBytes(32), expiresAt],
    );
    const [row] = await this.database.prompt<{ salt: Buffer }>(
      `SELECT salt FROM click_salts WHERE name = $1`,
      [name],
    );
    if (!row) throw new Error('A salt has vanished');
    return row.salt;
  }
}
