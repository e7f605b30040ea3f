import { SetMetadata } from '@nestjs/common';

export const MIB = 1024 * 1024;

/** What bodies a route takes. */
export interface BodyRules {
  /** Bytes, after decompression. */
  limit: number;
  /** Media types. JSON arrives parsed, anything else as text. */
  types: readonly string[];
}

export const DEFAULT_BODY_RULES: BodyRules = { limit: MIB, types: ['application/json'] };

export const BODY_RULES = 'http:body-rules';

/**
 * A route whose bodies are larger, or of other types, than the rest's:
 * `@Bodies({ limit: 5 * MIB, types: ['text/csv'] })`.
 */
export function Bodies(rules: Partial<BodyRules>): MethodDecorator {
  return SetMetadata(BODY_RULES, { ...DEFAULT_BODY_RULES, ...rules } satisfies BodyRules);
}

/** A route that takes up to 1000 items at once: 5 MiB (4-decisions §2). */
export function BulkBody(): MethodDecorator {
  return Bodies({ limit: 5 * MIB });
}
