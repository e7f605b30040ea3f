import type { ConditionGroup } from './segment-condition';

export interface SegmentDefinition {
  readonly name: string;
  readonly description: string | null;
  /** Whether it is evaluated daily. */
  readonly isActive: boolean;
  readonly conditionGroups: readonly ConditionGroup[];
}

export interface Segment extends SegmentDefinition {
  readonly organizationId: number;
  readonly id: number;
  readonly memberCount: number;
  /** Last evaluation, daily or on demand; null if never. */
  readonly lastEvaluatedAt: Date | null;
  /** Last evaluation on demand. */
  readonly lastUsedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export type SegmentSummary = Omit<Segment, 'conditionGroups'> & { readonly conditionGroupCount: number };
