import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InvalidCursor } from '../../common/errors/errors';
import { BlindIndexes } from './blind-indexes';

export interface FeedOf {
  readonly organizationId: number;
  /** Name of the list: `unsubscribes`, `contacts`. */
  readonly kind: string;
  /** Distinguishes feeds of the same kind: two bytes. */
  readonly part: readonly [number, number];
}

const VERSION = 1;
const BODY_BYTES = 11;
/** 27 bytes with the MAC: a multiple of 3 leaves no spare bits in Base64, so a token has exactly one spelling. */
const TOKEN = /^[A-Za-z0-9_-]{36}$/;

/**
 * Cursors of an organization's feeds, authenticated so that clients can neither forge nor alter them. Equal positions
 * have equal cursors, by which clients detect the end of a feed.
 */
@Injectable()
export class FeedCursors {
  constructor(private readonly keyedHashes: BlindIndexes) {}

  /** The cursor that continues after `position`; position 0 is the start. */
  of(feed: FeedOf, position: number): string {
    const body = Buffer.alloc(BODY_BYTES);
    body.set([VERSION, ...feed.part]);
    body.writeBigUInt64BE(BigInt(position), 3);
    return Buffer.concat([body, this.check(feed, body)]).toString('base64url');
  }

  /**
   * @returns the position
   * @throws InvalidCursor if it was altered, or belongs to another feed or organization
   */
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
