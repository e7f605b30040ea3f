import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../../api/client';
import { listOrganizationSessions_platform } from '../../api/values.gen';
import { useView } from '../../kit/view';
import { type AnalyticsView, useAnalyticsView } from '../../plots/use-analytics-view';
import { readSource, type Source } from './source';

const DEFAULTS = { app: '', platform: '', source: '', goal: '' };

export type Platform = (typeof listOrganizationSessions_platform)[number];
type Chosen = Readonly<Record<keyof typeof DEFAULTS, string>>;

/** Range and filters of the page, which stand in the address. */
export interface JourneysView {
  readonly range: AnalyticsView;
  readonly chosen: Chosen;
  /** The chosen app; null for all. */
  readonly appId: number | null;
  /** The chosen app, else the first; null while it is not known or there is none. */
  readonly anyAppId: number | null;
  /** Whether the organization has no app. */
  readonly noApps: boolean;
  readonly platform: Platform | null;
  readonly source: Source | null;
  readonly days: { startDate: string; endDate: string };
  readonly change: (changes: Partial<Chosen>) => void;
}

export function useJourneysView(): JourneysView {
  const range = useAnalyticsView();
  const [chosen, change] = useView(DEFAULTS);
  const first = api.useQuery(
    'get',
    '/mobile-apps',
    { params: { query: { size: 1 } } },
    { placeholderData: keepPreviousData },
  ).data?.content;
  const appId = /^\d{1,15}$/.test(chosen.app) ? Number(chosen.app) : null;
  return {
    range,
    chosen,
    appId,
    anyAppId: appId ?? first?.[0]?.id ?? null,
    noApps: first?.length === 0,
    platform: listOrganizationSessions_platform.find((each) => each === chosen.platform) ?? null,
    source: readSource(chosen.source),
    days: { startDate: range.days.from, endDate: range.days.to },
    change,
  };
}

const WORDS = { WEB: 'web', IOS: 'ios', ANDROID: 'android' } as const;

/** A platform as statistics name it. */
export function platformWord(platform: Platform): (typeof WORDS)[Platform] {
  return WORDS[platform];
}

export function platformOfWord(word: string): Platform | undefined {
  return listOrganizationSessions_platform.find((platform) => WORDS[platform] === word);
}
