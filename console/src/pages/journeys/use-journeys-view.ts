import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { listOrganizationSessionsOfApps_platform } from '../../api/values.gen';
import { useView } from '../../kit/view';
import { type AnalyticsView, useAnalyticsView } from '../../plots/use-analytics-view';
import { readSource, type Source } from './source';

const DEFAULTS = { app: '', platform: '', source: '', goal: '' };

export type Platform = (typeof listOrganizationSessionsOfApps_platform)[number];
type Chosen = Readonly<Record<keyof typeof DEFAULTS, string>>;

/** Range and filters in the page's URL. */
export interface JourneysView {
  readonly range: AnalyticsView;
  readonly chosen: Chosen;
  /** The chosen app; null for all. */
  readonly appId: number | null;
  /** Whether the organization has no app. */
  readonly noApps: boolean;
  readonly platform: Platform | null;
  readonly source: Source | null;
  readonly days: { startDate: string; endDate: string };
  readonly change: (changes: Partial<Chosen>) => void;
  readonly chooseApp: (app: string) => void;
}

/** Key in localStorage of the app chosen last. */
const LAST_APP = 'waypost.journeys.app';
const ALL_APPS = 'all';

export function useJourneysView(): JourneysView {
  const range = useAnalyticsView();
  const [chosen, change] = useView(DEFAULTS);
  const first = api.useQuery(
    'get',
    '/mobile-apps',
    { params: { query: { size: 1 } } },
    { placeholderData: keepPreviousData },
  ).data?.content;
  const [last] = useState(() => idOf(localStorage.getItem(LAST_APP) ?? ''));
  const lastGone = api.useQuery(
    'get',
    '/mobile-apps/{id}',
    { params: { path: { id: last ?? 0 } } },
    { enabled: last !== null },
  ).isError;
  const appId = chosen.app === '' && !lastGone ? last : idOf(chosen.app);
  return {
    range,
    chosen,
    appId,
    noApps: first?.length === 0,
    platform: listOrganizationSessionsOfApps_platform.find((each) => each === chosen.platform) ?? null,
    source: readSource(chosen.source),
    days: { startDate: range.days.from, endDate: range.days.to },
    change,
    chooseApp: (app) => {
      localStorage.setItem(LAST_APP, app);
      change({ app: app === '' ? ALL_APPS : app });
    },
  };
}

function idOf(app: string): number | null {
  return /^\d{1,15}$/.test(app) ? Number(app) : null;
}

const WORDS = { WEB: 'web', IOS: 'ios', ANDROID: 'android' } as const;

/** Name of a platform in statistics. */
export function platformWord(platform: Platform): (typeof WORDS)[Platform] {
  return WORDS[platform];
}

export function platformOfWord(word: string): Platform | undefined {
  return listOrganizationSessionsOfApps_platform.find((platform) => WORDS[platform] === word);
}
