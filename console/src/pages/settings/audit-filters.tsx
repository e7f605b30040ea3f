import { useMemo } from 'react';
import { api, PAGED } from '../../api/client';
import type { paths } from '../../api/schema.gen';
import { useAll, useAllUsers } from '../../kit/use-all';
import { listAuditEntries_actorType } from '../../api/values.gen';
import { FilterChoice, FilterDay, FilterMenu, FilterText } from '../../kit/filters';
import { endOfDay, startOfDay } from '../../kit/local-time';
import { useTexts } from '../../texts/texts';
import { settingsTexts } from './texts';

/** State of the audit log in the URL; `actor` is a type of actor, optionally with an id: `USER:7`. */
export const AUDIT_VIEW = { actor: '', action: '', resourceType: '', resourceId: '', from: '', to: '' };
export type AuditView = typeof AUDIT_VIEW;
export type ChangeAuditView = (change: Partial<AuditView>) => void;

/** Filters behind the button; action and type have their own fields. */
const FILTERS = ['actor', 'resourceId', 'from', 'to'] as const;

type AuditQuery = NonNullable<paths['/audit-log']['get']['parameters']['query']>;

export function auditQuery({ actor, action, resourceType, resourceId, from, to }: AuditView): AuditQuery {
  const [type, id = ''] = actor.split(':');
  const actorType = listAuditEntries_actorType.find((value) => value === type);
  const [start, end] = [startOfDay(from), endOfDay(to)];
  return {
    ...(actorType && { actorType, ...(/^[1-9]\d*$/.test(id) && { actorId: Number(id) }) }),
    ...(action && { action }),
    ...(resourceType && { resourceType }),
    ...(resourceId && { resourceId }),
    ...(start !== undefined && { from: start }),
    ...(end !== undefined && { to: end }),
  };
}

interface Props {
  view: AuditView;
  change: ChangeAuditView;
}

/** Filters of the audit log by who changed what, and when. */
export function AuditFilters({ view, change }: Props) {
  const t = useTexts(settingsTexts);
  const users = useAllUsers();
  const keys = useAll(api.useInfiniteQuery('get', '/api-keys', { params: { query: { size: 100 } } }, PAGED));
  const actors = useMemo(
    () => [
      ...listAuditEntries_actorType.map((type) => ({ value: type, label: t(`all_${type}`) })),
      ...users.map(({ id, name, username }) => ({ value: `USER:${id}`, label: name ?? username })),
      ...keys.map(({ id, name }) => ({ value: `API_KEY:${id}`, label: `${t('API_KEY')} ${name}` })),
    ],
    [users, keys, t],
  );
  const shown = (key: (typeof FILTERS)[number]) =>
    (key === 'actor' && actors.find(({ value }) => value === view.actor)?.label) || view[key];
  const field = (key: (typeof FILTERS)[number]) => ({
    label: t(`filter_${key}`),
    value: view[key],
    onChange: (value: string) => change({ [key]: value }),
  });
  return (
    <FilterMenu
      set={FILTERS.filter((key) => view[key] !== '').map((key) => ({
        key,
        name: t(`filter_${key}`),
        value: shown(key),
        remove: () => change({ [key]: '' }),
      }))}
      onClear={() => change({ actor: '', resourceId: '', from: '', to: '' })}
    >
      <FilterChoice {...field('actor')} data={actors} />
      <FilterText {...field('resourceId')} max={100} />
      <FilterDay {...field('from')} />
      <FilterDay {...field('to')} />
    </FilterMenu>
  );
}
