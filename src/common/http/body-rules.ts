import { applyDecorators, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { ApiConsumes } from '@nestjs/swagger';

export const MIB = 1024 * 1024;

export interface BodyRules {
  /** Maximum size in bytes, after decompression. */
  limit: number;
  types: readonly string[];
  /** Media types whose bodies are parsed as JSON; others arrive as text. */
  jsonTypes: readonly string[];
  /**
   * Maximum size in bytes for handlers that stream the body with `bodyStream`. With an Idempotency-Key, the whole body
   * is read first, up to `limit`, because the key covers it.
   */
  streamed?: number;
  /** Whether the handler reads the body with `readBytes`, after its own checks. */
  readLater?: boolean;
}

export const JSON_TYPE = 'application/json';
const DEFAULT_BODY_RULES: BodyRules = { limit: MIB, types: [JSON_TYPE], jsonTypes: [JSON_TYPE] };

const BODY_RULES = 'http:body-rules';

/** Overrides the body rules of a route, such as `@Bodies({ limit: 5 * MIB, types: ['text/csv'] })`. */
export function Bodies(rules: Partial<BodyRules>): MethodDecorator {
  return SetMetadata(BODY_RULES, { ...DEFAULT_BODY_RULES, ...rules } satisfies BodyRules);
}

/** Media types of CSV; some clients send all text as text/plain. */
export const CSV_TYPES = ['text/csv', 'text/plain'];

export function bodyRulesOf(context: ExecutionContext): BodyRules {
  return (
    (Reflect.getMetadata(BODY_RULES, context.getHandler()) as BodyRules | undefined) ?? DEFAULT_BODY_RULES
  );
}

/**
 * Media types of browser beacons: JSON, labelled text/plain to avoid a CORS preflight
 * (docs/concepts/deep-links.md#calls-of-web-pages).
 */
const BEACON_TYPES = [JSON_TYPE, 'text/plain'];

export function BeaconBody(): MethodDecorator {
  return applyDecorators(
    ApiConsumes(...BEACON_TYPES),
    Bodies({ types: BEACON_TYPES, jsonTypes: BEACON_TYPES }),
  );
}

/** Body rules of routes with up to 1000 items: 5 MiB (docs/concepts/conventions.md#limits-on-input). */
export function BulkBody(): MethodDecorator {
  return Bodies({ limit: 5 * MIB });
}
