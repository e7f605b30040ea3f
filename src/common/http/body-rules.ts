import { applyDecorators, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { ApiConsumes } from '@nestjs/swagger';

export const MIB = 1024 * 1024;

/** What bodies a route takes. */
export interface BodyRules {
  /** Bytes, after decompression. */
  limit: number;
  /** Media types. */
  types: readonly string[];
  /** Those of them whose bodies are JSON and arrive parsed; the others arrive as text. */
  jsonTypes: readonly string[];
  /**
   * Bytes that the handler takes as they come, by `bodyStream`. With an Idempotency-Key the body is part of what the
   * key stands for: it is read whole then, up to `limit`.
   */
  streamed?: number;
}

const JSON_TYPE = 'application/json';
const DEFAULT_BODY_RULES: BodyRules = { limit: MIB, types: [JSON_TYPE], jsonTypes: [JSON_TYPE] };

const BODY_RULES = 'http:body-rules';

/**
 * A route whose bodies are larger, or of other types, than the rest's:
 * `@Bodies({ limit: 5 * MIB, types: ['text/csv'] })`.
 */
export function Bodies(rules: Partial<BodyRules>): MethodDecorator {
  return SetMetadata(BODY_RULES, { ...DEFAULT_BODY_RULES, ...rules } satisfies BodyRules);
}

/** CSV; some clients know one name for all text. */
export const CSV_TYPES = ['text/csv', 'text/plain'];

/** The body rules of the route that is being called. */
export function bodyRulesOf(context: ExecutionContext): BodyRules {
  return (
    (Reflect.getMetadata(BODY_RULES, context.getHandler()) as BodyRules | undefined) ?? DEFAULT_BODY_RULES
  );
}

/**
 * What browsers send as a beacon: JSON, called text by those that may not ask first
 * (docs/concepts/deep-links.md#calls-of-web-pages).
 */
const BEACON_TYPES = [JSON_TYPE, 'text/plain'];

export function BeaconBody(): MethodDecorator {
  return applyDecorators(
    ApiConsumes(...BEACON_TYPES),
    Bodies({ types: BEACON_TYPES, jsonTypes: BEACON_TYPES }),
  );
}

/** A route that takes up to 1000 items at once: 5 MiB (docs/concepts/conventions.md#limits-on-input). */
export function BulkBody(): MethodDecorator {
  return Bodies({ limit: 5 * MIB });
}
