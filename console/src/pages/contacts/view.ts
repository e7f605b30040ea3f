import type { listOrganizationContacts_origin } from '../../api/values.gen';

export const FILTERS = {
  groupId: '',
  segmentId: '',
  tag: '',
  origin: '',
  pushOptIn: '',
  smsOptIn: '',
  emailOptIn: '',
  externalUserId: '',
  updatedAfter: '',
};
/** State of the list that stands in the address. */
export const VIEW = { q: '', ...FILTERS };

export type FilterName = keyof typeof FILTERS;
export type View = Record<keyof typeof VIEW, string>;
export type ChangeView = (change: Partial<View>) => void;

export const FILTER_NAMES = Object.keys(FILTERS) as FilterName[];

/** Filters of the API. */
export function queryOf(view: View) {
  const {
    q,
    groupId,
    segmentId,
    tag,
    origin,
    pushOptIn,
    smsOptIn,
    emailOptIn,
    externalUserId,
    updatedAfter,
  } = view;
  return {
    ...(q && { keyword: q }),
    ...(groupId && { groupId: Number(groupId) }),
    ...(segmentId && { segmentId: Number(segmentId) }),
    ...(tag && { tag }),
    ...(origin && { origin: origin as (typeof listOrganizationContacts_origin)[number] }),
    ...(pushOptIn && { pushOptIn: pushOptIn === 'true' }),
    ...(smsOptIn && { smsOptIn: smsOptIn === 'true' }),
    ...(emailOptIn && { emailOptIn: emailOptIn === 'true' }),
    ...(externalUserId && { externalUserId }),
    ...(updatedAfter && { updatedAfter: startOfDay(updatedAfter) }),
  };
}

/** A day in the time zone of the browser as a time of the API. */
function startOfDay(day: string): string {
  const start = new Date(`${day}T00:00:00`);
  return Number.isNaN(start.getTime()) ? day : start.toISOString();
}
