import { useMemo } from 'react';
import { api, type Schemas } from '../../api/client';
import { useMay } from '../../api/may';
import { me } from '../../api/session';
import { useStore } from '../../api/store';
import { useAllApps, useAllUsers, useMissing } from '../../kit/use-all';
import { useTexts } from '../../texts/texts';
import { linkTexts } from './texts';

export interface Choice {
  value: string;
  label: string;
}

/** Domains that links can use. */
export function useDomains(): Choice[] {
  const { data, error } = api.useQuery('get', '/custom-domains/verified');
  useMissing(error);
  return useMemo(
    () => (data ?? []).map(({ id, domainName }) => ({ value: String(id), label: domainName })),
    [data],
  );
}

/** Apps of the organization. @param platform only those of this platform */
export function useApps(platform?: Schemas['AppResponse']['platform']): Choice[] {
  const apps = useAllApps();
  return useMemo(
    () =>
      apps
        .filter((app) => platform === undefined || app.platform === platform)
        .map(({ id, appName, platform: of }) => ({ value: String(id), label: `${appName} (${of})` })),
    [apps, platform],
  );
}

/** Creators to filter by: every user for callers who may list users, else the signed-in user. */
export function useCreators(): Choice[] {
  const t = useTexts(linkTexts);
  const user = useStore(me);
  const users = useAllUsers(useMay('listUsers'));
  return useMemo(
    () =>
      user === null
        ? []
        : [
            { value: String(user.id), label: t('me') },
            ...users
              .filter(({ id }) => id !== user.id)
              .map(({ id, name, username }) => ({ value: String(id), label: name ?? username })),
          ],
    [user, users, t],
  );
}
