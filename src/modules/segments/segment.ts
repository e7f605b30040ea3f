import type { ConditionGroup } from './segment-condition';
import type { SegmentRow } from './segment.entities';

export interface SegmentDefinition extends Readonly<Pick<SegmentRow, 'name' | 'description' | 'isActive'>> {
  readonly conditionGroups: readonly ConditionGroup[];
}

export type SegmentSummary = Readonly<Omit<SegmentRow, 'conditions'>>;

export interface Segment extends SegmentDefinition, Omit<SegmentSummary, 'conditionGroupCount'> {}
