import type { ReactNode } from 'react';
import type { Schemas } from '../api/client';

export type ClickAnalytics = Schemas['ClickAnalyticsResponse'];
export type Interval = ClickAnalytics['interval'];
export type Metric = ClickAnalytics['metric'];
export type Dimension = NonNullable<ClickAnalytics['groupBy']>;

/** Data of a plot as a table, for reading and for downloads. */
export interface Sheet {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

/** Props of every plot. */
export interface PlotProps {
  title: string;
  /** One line below the title. */
  subtitle?: ReactNode;
  /** Controls at the end of the title's line. */
  actions?: ReactNode;
  /** The query of the figures, for skeleton and error; omitted if they are loaded. */
  state?: PlotState;
}

export interface PlotState {
  readonly data: unknown;
  readonly error: unknown;
  readonly refetch: () => unknown;
  /** Whether the data belong to another filter or range. */
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
  /** Points of the compared range. */
  readonly compared?: readonly Point[] | undefined;
}

export interface Bar {
  /** Passed to `onPick`. */
  readonly key: string;
  readonly name: string;
  /** Small text beside the name. */
  readonly detail?: string | undefined;
  /** Conversions and revenue beside the value, as text. */
  readonly conversions?: string | undefined;
  readonly value: number;
  /** 0 to 1. */
  readonly share: number;
  /** Change from the compared range in percent; null if that had none. */
  readonly change?: number | null | undefined;
  /** Whether it cannot be picked, such as the rest of a list. */
  readonly fixed?: boolean;
}

export interface Stage {
  readonly name: string;
  readonly count: number;
}
