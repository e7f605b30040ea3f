import { createHmac, hash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { BoundedCache } from '../../common/bounded-cache';
import { Database, PROMPTLY } from '../../infrastructure/database/database';

const DAY_MS = 86_400_000;
/** Retention of the salt of a day: the day, and two more for late clicks. */
export const DAY_RETENTION_DAYS = 3;
/** Retention of week salts: the week, and another one for late clicks. */
export const WEEK_RETENTION_DAYS = 15;
const ADDRESS_SALT = 'addresses';

/**
 * Salted hashes that identify visitors. The hash stored with a click uses a salt of the day, which is deleted
 * afterwards, so that it cannot be reversed. Unique visitors of a day or week in the organization's time zone are
 * counted by another hash, which is not stored with a click, and is deleted with its weekly salt.
 */
@Injectable()
export class Visitors {
  /** Holds more entries than the days of a batch. */
  private readonly daySalts = new BoundedCache<string, string>(1_000);
  private readonly weekSalts = new BoundedCache<string, string>(100);
  private addressSalt: Buffer | null = null;

  constructor(private readonly database: Database) {
    // Other processes assign new ones if the new primary lacks them.
    database.onPrimaryChange(() => [this.daySalts, this.weekSalts].forEach((salts) => salts.clear()));
  }

  /** Loads the salt for `addressHash`, which then works without Postgres. */
  async loadAddressSalt(): Promise<void> {
    this.addressSalt = await this.load(ADDRESS_SALT, null);
  }

  /** Hash of an IP address in hexadecimal. Its salt never changes, because de-duplication windows cross midnight. */
  addressHash(ip: string): string {
    if (!this.addressSalt) throw new Error('The salt of addresses has not been loaded');
    return createHmac('sha256', this.addressSalt).update(ip).digest('hex').slice(0, 32);
  }

  /** Maps a text to [0, 1): deterministic and uniformly distributed. */
  positionOf(text: string): number {
    return Number.parseInt(this.addressHash(text).slice(0, 8), 16) / 2 ** 32;
  }

  /** Loads the salts that `visitorHash` and `dayVisitor` need. @param days `YYYY-MM-DD` */
  async loadDays(days: Iterable<string>): Promise<void> {
    for (const day of days) {
      if (this.daySalts.has(day)) continue;
      const salt = await this.load(day, new Date(new Date(day).getTime() + DAY_RETENTION_DAYS * DAY_MS));
      this.daySalts.set(day, salt.toString('hex'));
    }
  }

  /** Identifies a visitor on a day whose salt has been loaded: 32 hexadecimal digits. */
  visitorHash(day: string, ip: string, userAgent: string): string {
    const salt = this.daySalts.get(day);
    if (!salt) throw new Error('The salt of the day has not been loaded');
    return hash('sha256', `${salt}\n${ip}\n${userAgent}`).slice(0, 32);
  }

  /** Identifies a visitor on a day whose salt has been loaded: a 64-bit integer in decimal. */
  dayVisitor(day: string, ip: string, userAgent: string): string {
    return integerOf(this.visitorHash(day, ip, userAgent));
  }

  /** Loads the salts that `weekVisitor` needs. @param mondays first days of the weeks, `YYYY-MM-DD` */
  async loadWeeks(mondays: Iterable<string>): Promise<void> {
    for (const monday of mondays) {
      if (this.weekSalts.has(monday)) continue;
      const expiresAt = new Date(new Date(monday).getTime() + WEEK_RETENTION_DAYS * DAY_MS);
      const salt = await this.load(`week ${monday}`, expiresAt);
      this.weekSalts.set(monday, salt.toString('hex'));
    }
  }

  /** Identifies a visitor of an organization in a week whose salt has been loaded: a 64-bit integer in decimal. */
  weekVisitor(monday: string, organizationId: number, ip: string, userAgent: string): string {
    const salt = this.weekSalts.get(monday);
    if (!salt) throw new Error('The salt of the week has not been loaded');
    return integerOf(hash('sha256', `${salt}\n${organizationId}\n${ip}\n${userAgent}`));
  }

  private async load(name: string, expiresAt: Date | null): Promise<Buffer> {
    await this.database.read(
      `INSERT INTO click_salts (name, salt, expires_at) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING`,
      [name, randomBytes(32), expiresAt],
      PROMPTLY,
    );
    const [row] = await this.database.read<{ salt: Buffer }>(
      `SELECT salt FROM click_salts WHERE name = $1`,
      [name],
      PROMPTLY,
    );
    if (!row) throw new Error('The salt was not found after its insert');
    return row.salt;
  }
}

/** The first 64 bits of a hash, as a signed integer in decimal. */
function integerOf(hexadecimal: string): string {
  return BigInt.asIntN(64, BigInt(`0x${hexadecimal.slice(0, 16)}`)).toString();
}
