import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, type Schemas } from '../api/client';
import { useMay } from '../api/may';
import type { paths } from '../api/schema.gen';
import { formatMoney, formatNumber } from '../texts/format';
import { type Translate, useTexts } from '../texts/texts';
import { conversionTexts } from './conversion-texts';

type Figures = Omit<Schemas['ConversionGroup'], 'key'>;
type Query = paths['/analytics/conversions/groups']['get']['parameters']['query'];

/** Maximum number of groups in a response without ids. */
const MOST = 1_000;
/** Key of the group of all values that are not listed. */
const OTHER = '(other)';
const NOTHING = { conversions: 0, revenue: 0, otherRevenue: [] };

/** Conversions and revenue to show beside clicks, as far as the user may see them. */
export interface Conversions {
  readonly showsConversions: boolean;
  readonly showsRevenue: boolean;
  /** Currency of the amounts. */
  readonly currency: string;
  /** Figures of one value; undefined while loading. @param key as in the groups of clicks */
  readonly figuresOf: (key: string) => Figures | undefined;
  /** The figures as text. */
  readonly of: (
    key: string,
  ) => { conversions: string; revenue: string; also: string | undefined } | undefined;
  /** All figures in one line; undefined if no value has any. */
  readonly lineOf: (key: string) => string | undefined;
}

/** Queries for the rows of each page of a list, over all time like their clicks. */
export function questionsOf(
  groupBy: 'link' | 'campaign',
  pages: readonly { readonly content: readonly { readonly id: number }[] }[] = [],
): Query[] {
  return pages
    .filter(({ content }) => content.length > 0)
    .map(({ content }) => ({ groupBy, id: content.map(({ id }) => id), allTime: true }));
}

/** @param asked one query, or one per page of a list; none if empty */
export function useConversions(asked: readonly Query[], refetchInterval?: number): Conversions {
  const t = useTexts(conversionTexts);
  const mayConversions = useMay('getOrganizationConversions');
  const mayRevenue = useMay('getOrganizationRevenue');
  const answers = useQueries({
    queries: asked.map((query) => ({
      ...api.queryOptions('get', '/analytics/conversions/groups', { params: { query } }),
      enabled: mayConversions || mayRevenue,
      refetchInterval,
    })),
    combine: (results) => results.map(({ data }) => data),
  });
  return useMemo(() => {
    const known = answers.flatMap((answer, at) => {
      const ids = asked[at]?.id;
      return answer ? [{ answer, ids: ids && new Set(ids.map(String)) }] : [];
    });
    const groups = new Map(known.flatMap(({ answer }) => answer.groups.map((group) => [group.key, group])));
    const figuresOf = (key: string): Figures | undefined => {
      const isIn = ({ answer, ids }: (typeof known)[number]) =>
        ids ? ids.has(key) : answer.groups.length < MOST;
      return groups.get(key) ?? (key !== OTHER && known.some(isIn) ? NOTHING : undefined);
    };
    const currency = known[0]?.answer.currency ?? 'USD';
    const isAsked = asked.length > 0;
    const showsConversions =
      isAsked && mayConversions && known.every(({ answer }) => answer.showsConversions);
    const showsRevenue = isAsked && mayRevenue && known.every(({ answer }) => answer.showsRevenue);
    const of = (key: string) => {
      const found = figuresOf(key);
      return found && textsOf(found, currency, t);
    };
    return {
      showsConversions,
      showsRevenue,
      currency,
      figuresOf,
      of,
      lineOf: (key) => {
        const [found, shown] = [figuresOf(key), of(key)];
        if (groups.size === 0 || !found || !shown) return undefined;
        const { conversions } = found;
        const parts = [
          ...(showsConversions
            ? [t('count', { count: conversions ?? 0, formatted: shown.conversions })]
            : []),
          ...(showsRevenue ? [[shown.revenue, shown.also].filter(Boolean).join(' ')] : []),
        ];
        return parts.join(' · ') || undefined;
      },
    };
  }, [answers, asked, mayConversions, mayRevenue, t]);
}

function textsOf(
  { conversions, revenue, otherRevenue }: Figures,
  currency: string,
  t: Translate<'alsoRevenue'>,
) {
  const others = (otherRevenue ?? []).map((other) => formatMoney(other.revenue, other.currency));
  return {
    conversions: formatNumber(conversions ?? 0),
    revenue: formatMoney(revenue ?? 0, currency),
    also: others.length > 0 ? t('alsoRevenue', { amounts: others.join(', ') }) : undefined,
  };
}
