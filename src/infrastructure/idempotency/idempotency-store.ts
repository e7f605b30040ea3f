import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { type Cell, Encryption } from '../../common/crypto/encryption';
import { Clock } from '../../common/time/clock';
import { EncryptedColumns } from '../encryption/encrypted-columns';
import { OncePerSchedule } from '../schedule/once-per-schedule';
import { Database, type Tx } from '../database/database';
import { deleteInBatches, batchOfAll } from '../database/delete-in-batches';

const COLUMN = { table: 'idempotency_keys', column: 'body' };
export const STORED_ANSWER_COLUMN = { ...COLUMN, shortLived: true } as const;
const RETENTION_MS = 24 * 60 * 60 * 1000;
const DELETE_EXPIRED = `
  DELETE FROM idempotency_keys WHERE ${batchOfAll('idempotency_keys', 'organization_id, scope', 'created_at <= $1')}`;

/** Scope of a key: one user of an organization, and one path. */
export interface Scope {
  readonly organizationId: number;
  /** SHA-256 of user, path and key. */
  readonly hash: Buffer;
}

export interface StoredAnswer {
  readonly status: number;
  /** Headers set by the handler, such as Location. */
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON text of the response; null if it has no body. */
  readonly body: string | null;
  /** The person whose data the response contains, so that it can be erased with them: `contact:42`. */
  readonly subject?: string | null;
}

export function sha256(...parts: (string | Uint8Array)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/**
 * Responses to requests with an Idempotency-Key, stored for 24 h in the transaction of their change. Bodies
 * are encrypted, because some contain secrets such as an app's key.
 */
@Injectable()
export class IdempotencyStore {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly schedule: OncePerSchedule,
    private readonly encryption: Encryption,
    columns: EncryptedColumns,
  ) {
    columns.register(STORED_ANSWER_COLUMN);
  }

  /** Locks the scope until the transaction ends. @returns false if another request holds it */
  async lock(tx: Tx, { organizationId, hash }: Scope): Promise<boolean> {
    const key = sha256(String(organizationId), hash).readBigInt64BE().toString();
    const rows = await tx.query<{ locked: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS locked', [key]);
    return rows[0]?.locked === true;
  }

  async find(tx: Tx, scope: Scope): Promise<(StoredAnswer & { fingerprint: Buffer }) | undefined> {
    const rows = await tx.query<StoredAnswer & { fingerprint: Buffer }>(
      `SELECT fingerprint, status, headers, body FROM idempotency_keys
       WHERE organization_id = $1 AND scope = $2 AND created_at > $3`,
      [scope.organizationId, scope.hash, this.oldest()],
    );
    const [stored] = rows;
    return stored && { ...stored, body: this.open(stored.body, scope) };
  }

  /** Stores a response in the transaction of its change, replacing an expired one. */
  async store(tx: Tx, scope: Scope, fingerprint: Buffer, answer: StoredAnswer): Promise<void> {
    await tx.execute(
      `INSERT INTO idempotency_keys (organization_id, scope, fingerprint, status, headers, body, created_at, subject)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (organization_id, scope) DO UPDATE SET
         fingerprint = excluded.fingerprint, status = excluded.status, headers = excluded.headers,
         body = excluded.body, created_at = excluded.created_at, subject = excluded.subject`,
      [
        scope.organizationId,
        scope.hash,
        fingerprint,
        answer.status,
        JSON.stringify(answer.headers),
        answer.body === null ? null : this.encryption.encrypt(answer.body, cellOf(scope)),
        this.clock.date(),
        answer.subject ?? null,
      ],
    );
  }

  /**
   * Empties stored responses with a person's data. A repeated request still changes nothing, and gets an empty body.
   */
  async forget(tx: Tx, organizationId: number, subject: string): Promise<void> {
    await tx.execute(
      'UPDATE idempotency_keys SET body = NULL, subject = NULL WHERE organization_id = $1 AND subject = $2',
      [organizationId, subject],
    );
  }

  @Cron('17 * * * *')
  purge(): Promise<boolean> {
    return this.schedule.run('idempotency.purge', 3600, () => this.deleteExpired());
  }

  async deleteExpired(): Promise<void> {
    await deleteInBatches(this.database, DELETE_EXPIRED, [this.oldest()]);
  }

  private open(body: string | null, scope: Scope): string | null {
    return body === null ? null : this.encryption.decrypt(body, cellOf(scope));
  }

  private oldest(): Date {
    return new Date(this.clock.now() - RETENTION_MS);
  }
}

function cellOf({ organizationId, hash }: Scope): Cell {
  return { ...COLUMN, organizationId, rowId: hash.toString('hex') };
}
