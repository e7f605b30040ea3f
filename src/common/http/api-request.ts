import type { Request } from 'express';

export interface ApiRequest extends Request {
  /**
   * The client's X-Request-Id if it is well-formed, else a new UUID; appears in the response and the logs.
   */
  id: string;
  /** The decompressed bytes of the body; undefined without a body, or before it is read. */
  rawBody?: Buffer;
  /** Resolves when the body has been read; set once reading starts. */
  bodyRead?: Promise<void>;
  /** Set by the access guard; absent on public routes. `userId` is null for the platform and for apps. */
  caller?: {
    readonly organizationId: number;
    readonly userId: number | null;
    /** `secret` or `publishable`, for apps. */
    readonly key?: string;
  };
}

/** The pattern of the matched route, such as `/api/v1/service/urls/:id`; undefined if none matched. */
export function routeOf(request: Pick<Request, 'route'>): string | undefined {
  const route = request.route as { path?: unknown } | undefined;
  return typeof route?.path === 'string' ? route.path : undefined;
}
