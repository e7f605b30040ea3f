import { Injectable } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerRequest } from '@nestjs/throttler';
import type { Response } from 'express';
import { RateLimited } from '../access.errors';

/** Fourth guard: the rate limit. From here on, responses report the remaining quota. */
@Injectable()
export class RateGuard extends ThrottlerGuard {
  protected override async handleRequest(request: ThrottlerRequest): Promise<boolean> {
    const { context, limit, ttl, blockDuration, throttler, getTracker, generateKey } = request;
    const { req, res } = this.getRequestResponse(context);
    const name = throttler.name ?? 'default';
    const key = generateKey(context, await getTracker(req, context), name);
    const record = await this.storageService.increment(key, ttl, limit, blockDuration, name);
    const response = res as Response;
    const remaining = Math.max(0, limit - record.totalHits);
    // If two limits apply, the headers report the one with fewer requests left.
    if (remaining < Number(response.getHeader('RateLimit-Remaining') ?? Infinity)) {
      response
        .setHeader('RateLimit-Limit', limit)
        .setHeader('RateLimit-Remaining', remaining)
        .setHeader('RateLimit-Reset', record.timeToExpire);
    }
    if (record.isBlocked) throw new RateLimited(record.timeToBlockExpire);
    return true;
  }
}
