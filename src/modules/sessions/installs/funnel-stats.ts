import { type Stage, STAGES, WEB_STAGES } from '../funnel';
import { percent } from '../../click-statistics/percentages';
import type { FunnelStats } from './install-statistics.dto';

/** @param reached number of sessions that have reached a stage */
export function toFunnelStats(
  totalSessions: number,
  reached: (stage: Stage) => number,
  isWebApp = false,
): FunnelStats {
  const clicked = reached('CLICKED');
  const completedSessions = reached('GOAL_COMPLETED');
  const stages = STAGES.filter(([code]) => !isWebApp || WEB_STAGES.includes(code));
  return {
    totalSessions,
    completedSessions,
    overallConversionRate: percent(completedSessions, totalSessions),
    stages: stages.map(([stageCode, stageName], index) => {
      const sessionsReached = reached(stageCode);
      return {
        stageCode,
        stageName,
        stageOrder: index + 1,
        sessionsReached,
        conversionRate: percent(sessionsReached, clicked),
        percentOfTotal: percent(sessionsReached, totalSessions),
      };
    }),
  };
}
