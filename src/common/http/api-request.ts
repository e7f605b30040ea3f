import type { Request } from 'express';

/** A request as the common HTTP rules see it. */
export interface ApiRequest extends Request {
  /** The client's X-Request-Id when it is a sane one, else a new UUID; on the answer and in the logs. */
  id: string;
  /** The body's bytes, decompressed; undefined without a body, or before it was read. */
  rawBody?: Buffer;
  /** The reading of the body, once it has begun. */
  bodyRead?: Promise<void>;
  /** Set by the access guard; absent on public routes. */
  caller?: { readonly organizationId: number };
}

/** The pattern of the route that answered, such as `/api/v1/service/urls/:id`; undefined when none did. */
export function routeOf(request: Pick<Request, 'route'>): string | undefined {
  const route = request.route as { path?: unknown } | undefined;
  return typeof route?.path === 'string' ? route.path : undefined;
}
