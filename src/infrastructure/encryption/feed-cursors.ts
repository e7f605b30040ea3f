import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error';
import { BlindIndexes } from './blind-indexes';

class InvalidCursor extends DomainError {
  constructor() {
    const message = 'must be the nextCursor of an earlier answer of this very feed';
    const details = [{ field: 'cursor', message }];
    super(400, 'INVALID_CURSOR', `cursor: ${message}`, { details });
  }
}

/** A feed of one organization. */
export interface FeedOf {
  readonly organizationId: number;
  /** What the feed is of: `unsubscribes`, `contacts`. */
  readonly kind: string;
  /** Which of the kind's feeds it is: two bytes. */
  readonly part: readonly [number, number];
}

const VERSION = 1;
const BODY_BYTES = 11;
/** 27 bytes with the check: Base64 has no spare bits then, so that each token is written in one way. */
const TOKEN = /^[A-Za-z0-9_-]{36}$/;

/**
 * Cursors: a place in one feed of one organization, with a keyed check, so that nobody can make or change one. The same
 * place always has the same cursor, which is how clients know that they have everything.
 */
@Injectable()
export class FeedCursors {
  constructor(private readonly keyedHashes: BlindIndexes) {}

  /** The cursor behind the entry at `position`; 0 is the start. */
  of(feed: FeedOf, position: number): string {
    const body = Buffer.alloc(BODY_BYTES);
    body.set([VERSION, ...feed.part]);
    body.writeBigUInt64BE(BigInt(position), 3);
    return Buffer.concat([body, this.check(feed, body)]).toString('base64url');
  }

  /** @throws InvalidCursor when it was changed, or is of another feed or organization */
  read(cursor: string, feed: FeedOf): number {
    if (!TOKEN.test(cursor)) throw new InvalidCursor();
    const bytes = Buffer.from(cursor, 'base64url');
    const body = bytes.subarray(0, BODY_BYTES);
    const genuine = timingSafeEqual(bytes.subarray(BODY_BYTES), this.check(feed, body));
    if (!genuine || ![VERSION, ...feed.part].every((byte, i) => body[i] === byte)) throw new InvalidCursor();
    return Number(body.readBigUInt64BE(3));
  }

  private check({ organizationId, kind }: FeedOf, body: Buffer): Buffer {
    return this.keyedHashes.of(organizationId, `${kind}.cursor`, body.toString('base64url'));
  }
}
