import type { ReactNode } from 'react';
import type { Schemas } from '../api/client';

export type ClickAnalytics = Schemas['ClickAnalyticsResponse'];
export type Interval = ClickAnalytics['interval'];
export type Metric = ClickAnalytics['metric'];
export type Dimension = NonNullable<ClickAnalytics['groupBy']>;

/** A table of what a plot shows, for reading and for downloads. */
export interface Sheet {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

/** What every plot takes. */
export interface PlotProps {
  title: string;
  /** One line below the title. */
  subtitle?: ReactNode;
  /** Controls at the end of the title's line. */
  actions?: ReactNode;
  /** The query that the figures come from: its skeleton, its error. Plots whose figures are at hand leave it out. */
  state?: PlotState;
}

export interface PlotState {
  readonly data: unknown;
  readonly error: unknown;
  readonly refetch: () => unknown;
  /** Whether the data are those of another filter or range. */
  readonly isPlaceholderData?: boolean;
}

/** A period of a series; `start` is a day, or the time of an hour. */
export interface Point {
  readonly start: string;
  readonly value: number;
}

export interface Measure {
  readonly name: string;
  readonly points: readonly Point[];
  /** The same of the range that is compared with. */
  readonly compared?: readonly Point[] | undefined;
}

export interface Bar {
  /** What `onPick` is called with. */
  readonly key: string;
  readonly name: string;
  /** Written small beside the name. */
  readonly detail?: string | undefined;
  /** Conversions and revenue beside the value, in words. */
  readonly conversions?: string | undefined;
  readonly value: number;
  /** 0 to 1. */
  readonly share: number;
  /** Change to the compared range in percent; null where that had none. */
  readonly change?: number | null | undefined;
  /** Whether it cannot be picked: the rest of a list. */
  readonly fixed?: boolean;
}

export interface Stage {
  readonly name: string;
  readonly count: number;
}
