import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InvalidCursor } from '../../common/errors/errors';
import { BlindIndexes } from './blind-indexes';

/** A feed of one organization. */
export interface FeedOf {
  readonly organizationId: number;
  /** What the feed lists: `unsubscribes`, `contacts`. */
  readonly kind: string;
  /** Distinguishes feeds of the same kind: two bytes. */
  readonly part: readonly [number, number];
}

const VERSION = 1;
const BODY_BYTES = 11;
/** 27 bytes including the check: Base64 then has no spare bits, so each token has exactly one spelling. */
const TOKEN = /^[A-Za-z0-9_-]{36}$/;

/**
 * Cursors: positions in a feed of an organization, authenticated so that clients can neither forge nor alter
 * them. A position always has the same cursor, which is how clients detect the end.
 */
@Injectable()
export class FeedCursors {
  constructor(private readonly keyedHashes: BlindIndexes) {}

  /** The cursor after the entry at `position`; 0 is the start. */
  of(feed: FeedOf, position: number): string {
    const body = Buffer.alloc(BODY_BYTES);
    body.set([VERSION, ...feed.part]);
    body.writeBigUInt64BE(BigInt(position), 3);
    return Buffer.concat([body, this.check(feed, body)]).toString('base64url');
  }

  /** @throws InvalidCursor if it was altered, or belongs to another feed or organization */
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
