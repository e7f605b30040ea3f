import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { BlindIndexes } from '../../infrastructure/encryption/blind-indexes';
import { type ChannelOf, channelCode } from './unsubscribe';
import { InvalidCursor } from './unsubscribes.errors';

/** The list of opt-outs, and the list of those that were taken back. */
export type Feed = 'list' | 'deletions';

const VERSION = 1;
const FEED_CODES: Record<Feed, number> = { list: 1, deletions: 2 };
const BODY_BYTES = 11;
/** 27 bytes with the check: Base64 has no spare bits then, so that each token is written in one way. */
const TOKEN = /^[A-Za-z0-9_-]{36}$/;

/**
 * Cursors: a place in one feed of one channel of one organization, with a keyed check, so that nobody can make or
 * change one. The same place always has the same cursor, which is how clients know that they have everything.
 */
@Injectable()
export class UnsubscribeCursors {
  constructor(private readonly keyedHashes: BlindIndexes) {}

  /** The cursor behind the entry at `position`; 0 is the start. */
  of(channel: ChannelOf, feed: Feed, position: number): string {
    const body = Buffer.alloc(BODY_BYTES);
    body.writeUInt8(VERSION, 0);
    body.writeUInt8(channelCode(channel.channel), 1);
    body.writeUInt8(FEED_CODES[feed], 2);
    body.writeBigUInt64BE(BigInt(position), 3);
    return Buffer.concat([body, this.check(channel.organizationId, body)]).toString('base64url');
  }

  /** @throws InvalidCursor when it was changed, or is of another feed, channel or organization */
  read(cursor: string, channel: ChannelOf, feed: Feed): number {
    if (!TOKEN.test(cursor)) throw new InvalidCursor();
    const bytes = Buffer.from(cursor, 'base64url');
    const body = bytes.subarray(0, BODY_BYTES);
    const genuine = timingSafeEqual(bytes.subarray(BODY_BYTES), this.check(channel.organizationId, body));
    const expected = [VERSION, channelCode(channel.channel), FEED_CODES[feed]];
    if (!genuine || !expected.every((byte, i) => body[i] === byte)) throw new InvalidCursor();
    return Number(body.readBigUInt64BE(3));
  }

  private check(organizationId: number, body: Buffer): Buffer {
    return this.keyedHashes.of(organizationId, 'unsubscribes.cursor', body.toString('base64url'));
  }
}
