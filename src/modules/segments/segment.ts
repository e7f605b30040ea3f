import type { ConditionGroup } from './segment-condition';

/** What a segment is made of. */
export interface SegmentDefinition {
  readonly name: string;
  readonly description: string | null;
  /** Whether it is evaluated daily. */
  readonly isActive: boolean;
  readonly conditionGroups: readonly ConditionGroup[];
}

/** Contacts that meet conditions, as of the last evaluation. */
export interface Segment extends SegmentDefinition {
  readonly organizationId: number;
  readonly id: number;
  readonly memberCount: number;
  /** Daily or on demand; null: not yet. */
  readonly lastEvaluatedAt: Date | null;
  /** When somebody last asked for an evaluation. */
  readonly lastUsedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A segment as lists show it: without what it asks for. */
export type SegmentSummary = Omit<Segment, 'conditionGroups'> & { readonly conditionGroupCount: number };
