import { hashKey, MutationCache, QueryClient, type QueryKey } from '@tanstack/react-query';
import createFetchClient from 'openapi-fetch';
import createHooks from 'openapi-react-query';
import { isPassing } from './errors';
import type { components, paths } from './schema.gen';
import { sessionFetch } from './session-fetch';

export type Schemas = components['schemas'];

/** Client of the console API, typed by its OpenAPI document. `/urls` means that of the user's organization. */
export const client = createFetchClient<paths>({ baseUrl: location.origin, fetch: sessionFetch });

/** The same calls as hooks: `api.useQuery('get', '/urls', { params: { query } })`. */
export const api = createHooks(client);

/** Options of `api.useInfiniteQuery` for paged lists, in which the page number is called `page` or `number`. */
export const PAGED = {
  pageParamName: 'page',
  initialPageParam: 0,
  getNextPageParam: (list: { page?: number; number?: number; last: boolean }) =>
    list.last ? undefined : (list.page ?? list.number ?? 0) + 1,
  // `api.useQuery` with the same parameters would have the same query key, but data of another shape.
  queryKeyHashFn: (key: QueryKey) => hashKey(['pages', ...key]),
};

export const queries: QueryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // Retries until the service responds, except after an error response.
      retry: (_, error) => isPassing(error),
      retryDelay: (attempt) => Math.min(500 * 2 ** attempt, 5_000),
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
  // Any list and figure on the page may show what has been changed.
  mutationCache: new MutationCache({ onSuccess: () => void queries.invalidateQueries() }),
});
