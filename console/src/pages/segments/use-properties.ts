import { useMemo } from 'react';
import { api } from '../../api/client';
import { type Translate, useTexts } from '../../texts/texts';
import type { Property, PropertyType } from './condition';
import { type SegmentText, segmentTexts } from './texts';

const CUSTOM = 'custom.';
const ACTIVITY = /^activity\.(.+)\.(first|last|count|sum)$/;
const CONSENT = /OptIn$|^optedOut\.|^blocked$/;

export interface Properties {
  readonly all: readonly Property[];
  readonly find: (key: string) => Property | undefined;
  readonly typeOf: (key: string) => PropertyType;
  readonly label: (key: string) => string;
  /** Properties in groups, for a Select; only those of certain types if given. */
  readonly options: (types?: readonly PropertyType[]) => OptionGroup[];
}

interface OptionGroup {
  group: string;
  items: { value: string; label: string }[];
}

/** The properties that conditions can use. */
export function useProperties(): Properties {
  const t = useTexts(segmentTexts);
  const { data } = api.useQuery('get', '/segments/properties');
  return useMemo(() => {
    const all = data ?? [];
    const label = (key: string) => labelOf(key, t);
    const find = (key: string) => all.find((property) => property.key === key);
    return {
      all,
      label,
      find,
      typeOf: (key) => find(key)?.type ?? (key.startsWith(CUSTOM) ? 'CUSTOM' : 'TEXT'),
      options: (types) => {
        const shown = types ? all.filter(({ type }) => types.includes(type)) : all;
        const groups = { contactFields: '', consentFields: '', customFields: '', activityFields: '' };
        return (Object.keys(groups) as (keyof typeof groups)[])
          .map((group) => ({
            group: t(group),
            items: shown
              .filter(({ key }) => groupOf(key) === group)
              .map(({ key }) => ({ value: key, label: label(key) })),
          }))
          .filter(({ items }) => items.length > 0);
      },
    };
  }, [data, t]);
}

function groupOf(key: string) {
  if (key.startsWith(CUSTOM)) return 'customFields';
  if (ACTIVITY.test(key)) return 'activityFields';
  return CONSENT.test(key) ? 'consentFields' : 'contactFields';
}

const FIGURES = ['first', 'last', 'count', 'sum'] as const;
/** Names of contact fields; others are shown by key. */
const FIELDS: Readonly<Record<string, SegmentText>> = {
  externalUserId: 'externalUserId',
  origin: 'origin',
  name: 'field_name',
  locale: 'locale',
  id: 'id',
  pushTokenIdx: 'pushTokenIdx',
  phoneNumber: 'phoneNumber',
  email: 'email',
  pushIdentify: 'pushIdentify',
  tags: 'tags',
  groupIds: 'groupIds',
  blocked: 'blocked',
  smsOptIn: 'smsOptIn',
  emailOptIn: 'emailOptIn',
  pushOptIn: 'pushOptIn',
  alimtalkOptIn: 'alimtalkOptIn',
  whatsappOptIn: 'whatsappOptIn',
  smsAdOptIn: 'smsAdOptIn',
  emailAdOptIn: 'emailAdOptIn',
  pushAdOptIn: 'pushAdOptIn',
  alimtalkAdOptIn: 'alimtalkAdOptIn',
  nightAdOptIn: 'nightAdOptIn',
  'optedOut.sms': 'optedOut_sms',
  'optedOut.email': 'optedOut_email',
  'optedOut.whatsapp': 'optedOut_whatsapp',
  createdAt: 'createdAt',
  updatedAt: 'updatedAt',
};

function labelOf(key: string, t: Translate<SegmentText>): string {
  if (key.startsWith(CUSTOM)) return key.slice(CUSTOM.length);
  const [, metric = '', ending] = ACTIVITY.exec(key) ?? [];
  const figure = FIGURES.find((one) => one === ending);
  if (figure) return t(`metric_${figure}`, { metric });
  const field = FIELDS[key];
  return field ? t(field) : key;
}
