import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock';
import { BlindIndexes } from '../../infrastructure/encryption/blind-indexes';
import type { OptOutLink } from './opt-out-links/opt-out-links.repository';
import type { Unsubscribe } from './unsubscribe';
import { UnsubscribeChanges } from './unsubscribe-changes';
import { UnsubscribesRepository } from './unsubscribes.repository';
import { Database } from '../../infrastructure/database/database';

const UNDO_MS = 10 * 60_000;
const UNDO_TOKEN = /^(\d{1,16})\.([A-Za-z0-9_-]{22})$/;

/** An opt-out as shown on a page, and the token to undo it; null if it cannot be undone. */
export interface OptedOut {
  readonly value: string;
  readonly undo: string | null;
}

/** Opts out, and undoes it, from the page of an opt-out link. */
@Injectable()
export class OptOuts {
  constructor(
    private readonly rows: UnsubscribesRepository,
    private readonly changes: UnsubscribeChanges,
    private readonly database: Database,
    private readonly keyedHashes: BlindIndexes,
    private readonly clock: Clock,
  ) {}

  /** The opt-out of the link's recipient; null if there is none, or the link has no recipient. */
  async current(link: OptOutLink): Promise<OptedOut | null> {
    const entry = link.value === null ? null : await this.rows.find(link, link.value);
    return entry && { value: entry.value, undo: this.undoOf(link, entry) };
  }

  /** Registers a value, unless it is registered already. */
  async confirm(link: OptOutLink, value: string): Promise<OptedOut> {
    const entry = {
      value,
      method: 'LINK' as const,
      source: link.campaign,
      unsubscribedAt: this.clock.date(),
    };
    const [created] = await this.database.write((tx) => this.changes.register(tx, null, link, [entry]));
    if (created) return { value, undo: this.undoOf(link, created) };
    // No undo, because a visitor of a public page who enters somebody else's number must not be able to undo their
    // opt-out.
    return (await this.current(link)) ?? { value, undo: null };
  }

  /** @returns the value that is no longer opted out; null if it is too late, or the token belongs to another link */
  async undo(link: OptOutLink, token: string): Promise<string | null> {
    const [, digits, check = ''] = UNDO_TOKEN.exec(token) ?? [];
    if (digits === undefined) return null;
    const id = Number(digits);
    const genuine = timingSafeEqual(Buffer.from(check, 'base64url'), this.checkOf(link, id));
    if (!genuine) return null;
    return this.database.write(async (tx) => {
      const entry = await this.rows.findById(tx, link, id);
      if (!entry || this.undoOf(link, entry) === null) return null;
      await this.changes.remove(tx, null, link, [entry.value]);
      return entry.value;
    });
  }

  private undoOf(link: OptOutLink, { id, method, createdAt }: Unsubscribe): string | null {
    const isRecent = this.clock.now() - createdAt.getTime() < UNDO_MS;
    if (method !== 'LINK' || !isRecent) return null;
    return `${id}.${this.checkOf(link, id).toString('base64url')}`;
  }

  private checkOf({ organizationId, id }: OptOutLink, entryId: number): Buffer {
    return this.keyedHashes.of(organizationId, 'unsubscribes.undo', `${id}.${entryId}`);
  }
}
