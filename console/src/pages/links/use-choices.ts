import { useMemo } from 'react';
import { api, type Schemas } from '../../api/client';

export interface Choice {
  value: string;
  label: string;
}

const MANY_APPS = 100;

/** Domains that links can use. */
export function useDomains(): Choice[] {
  const { data } = api.useQuery('get', '/custom-domains/verified');
  return useMemo(
    () => (data ?? []).map(({ id, domainName }) => ({ value: String(id), label: domainName })),
    [data],
  );
}

/** Apps of the organization. @param platform only those of this platform */
export function useApps(platform?: Schemas['AppResponse']['platform']): Choice[] {
  const { data } = api.useQuery('get', '/mobile-apps', { params: { query: { size: MANY_APPS } } });
  return useMemo(
    () =>
      (data?.content ?? [])
        .filter((app) => platform === undefined || app.platform === platform)
        .map(({ id, appName, platform: of }) => ({ value: String(id), label: `${appName} (${of})` })),
    [data, platform],
  );
}
