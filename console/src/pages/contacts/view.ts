import { listOrganizationContacts_origin } from '../../api/values.gen';
import { isDay, startOfDay } from '../../kit/local-time';
import { isBoolean, isId, oneOf } from '../../kit/view';

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
/** State of the list in the URL. */
export const VIEW = { q: '', ...FILTERS };

/** Checks of the query parameters. */
export const ALLOWED = {
  groupId: isId,
  segmentId: isId,
  origin: oneOf(...listOrganizationContacts_origin),
  pushOptIn: isBoolean,
  smsOptIn: isBoolean,
  emailOptIn: isBoolean,
  updatedAfter: isDay,
};

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
  const after = startOfDay(updatedAfter);
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
    ...(after && { updatedAfter: after }),
  };
}
