import { useMemo } from 'react';
import { api, type Schemas } from '../../api/client';
import { useMay } from '../../api/may';
import { me } from '../../api/session';
import { useStore } from '../../api/store';
import { useTexts } from '../../texts/texts';
import { linkTexts } from './texts';

export interface Choice {
  value: string;
  label: string;
}

const MANY = 100;

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
  const { data } = api.useQuery('get', '/mobile-apps', { params: { query: { size: MANY } } });
  return useMemo(
    () =>
      (data?.content ?? [])
        .filter((app) => platform === undefined || app.platform === platform)
        .map(({ id, appName, platform: of }) => ({ value: String(id), label: `${appName} (${of})` })),
    [data, platform],
  );
}

/** Creators to filter by: every user for callers who may list users, else the signed-in user. */
export function useCreators(): Choice[] {
  const t = useTexts(linkTexts);
  const user = useStore(me);
  const enabled = useMay('listUsers');
  const { data } = api.useQuery('get', '/users', { params: { query: { size: MANY } } }, { enabled });
  return useMemo(
    () =>
      user === null
        ? []
        : [
            { value: String(user.id), label: t('me') },
            ...(data?.content ?? [])
              .filter(({ id }) => id !== user.id)
              .map(({ id, name, username }) => ({ value: String(id), label: name ?? username })),
          ],
    [user, data, t],
  );
}
