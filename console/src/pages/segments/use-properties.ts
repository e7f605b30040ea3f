import { useMemo } from 'react';
import { api } from '../../api/client';
import { type Translate, useTexts } from '../../texts/texts';
import type { Property, PropertyType } from './condition';
import { segmentTexts } from './texts';

const CUSTOM = 'custom.';
const ACTIVITY = /^activity\.(.+)\.(first|last|count|sum)$/;
const CONSENT = /OptIn$|^optedOut\.|^blocked$/;

export interface Properties {
  readonly all: readonly Property[];
  readonly find: (key: string) => Property | undefined;
  readonly typeOf: (key: string) => PropertyType;
  readonly label: (key: string) => string;
  /** For a Select: the properties in groups, those of a type alone if types are given. */
  readonly options: (types?: readonly PropertyType[]) => OptionGroup[];
}

interface OptionGroup {
  group: string;
  items: { value: string; label: string }[];
}

/** The properties that conditions can name. */
export function useProperties(): Properties {
  const t = useTexts(segmentTexts);
  const { data } = api.useQuery('get', '/segment-properties');
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

function labelOf(key: string, t: Translate<string>): string {
  if (key === '') return '–';
  if (key.startsWith(CUSTOM)) return key.slice(CUSTOM.length);
  const [, metric, figure] = ACTIVITY.exec(key) ?? [];
  if (metric !== undefined && figure !== undefined) return t(`metric_${figure}`, { metric });
  return t(key === 'name' ? 'field_name' : key.replace('.', '_'));
}
