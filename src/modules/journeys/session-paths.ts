import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller';
import { NotFound } from '../../common/errors/errors';
import { toDateTime } from '../../common/time/format';
import { Database, type Tx } from '../../infrastructure/database/database';
import { toClickResponse } from '../click-statistics/click-log/click-log.dto';
import { ClickLogQuery, type LoggedClick } from '../click-statistics/click-log/click-log.query';
import { type SessionEventItem, SessionEventListQuery } from '../sessions/events/session-event-list.query';
import { STAGES } from '../sessions/funnel';
import { hasReached, type Session } from '../sessions/session';
import { SessionsRepository } from '../sessions/sessions.repository';
import { seesRevenue } from '../sessions/statistics/revenue-access';
import { SessionFiguresQuery } from './session-figures.query';
import { PATH_KINDS, type PathEntry, type SessionPathResponse } from './session-path.dto';
import { type PathGoal, type PathInstall, SessionPathQuery, type PathTransition } from './session-path.query';
import { toListedSession } from './sessions.dto';

const MAX_ENTRIES = 1_000;

interface Happened {
  click: LoggedClick | null;
  install: PathInstall | null;
  transitions: readonly PathTransition[];
  goals: readonly PathGoal[];
  events: readonly SessionEventItem[];
}

@Injectable()
export class SessionPaths {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly figures: SessionFiguresQuery,
    private readonly happenings: SessionPathQuery,
    private readonly eventList: SessionEventListQuery,
    private readonly clicks: ClickLogQuery,
    private readonly database: Database,
  ) {}

  /** @throws NotFound */
  get(caller: Caller, id: string): Promise<SessionPathResponse> {
    return this.database.report(caller.organizationId, (tx) => this.read(tx, caller, id));
  }

  private async read(tx: Tx, caller: Caller, id: string): Promise<SessionPathResponse> {
    const { organizationId, organization } = caller;
    const session = await this.sessions.find(organizationId, id, tx);
    const figures = await this.figures.run(tx, organizationId, [id], organization.baseCurrency);
    const own = session && figures.get(session.id);
    if (!session || !own) throw new NotFound('Session');
    const of = [tx, organizationId, session.id] as const;
    const { clickId, startedAt: clickedAt } = session;
    const click =
      clickId === null ? null : await this.clicks.find(tx, organizationId, { id: clickId, clickedAt });
    const install = await this.happenings.install(...of);
    const transitions = await this.happenings.transitions(...of, MAX_ENTRIES + 1);
    const goals = await this.happenings.goals(...of, MAX_ENTRIES + 1);
    const { events, total } = await this.eventList.run(...of, { page: 0, size: MAX_ENTRIES });
    const maySeeRevenue = seesRevenue(caller);
    const path = entriesOf(session, { click, install, transitions, goals, events }, maySeeRevenue);
    return {
      ...toListedSession(session, own, maySeeRevenue),
      goalType: session.goalType,
      customId: session.customId,
      clientTimezone: session.clientTimezone,
      reachedStages: STAGES.flatMap(([stage], i) =>
        hasReached(session, stage) ? [{ stage, reachedAt: toDateTime(session.stageTimes[i] ?? null) }] : [],
      ),
      click: click && toClickResponse(click),
      install: install && { ...install, installedAt: toDateTime(install.installedAt) },
      path: path.slice(0, MAX_ENTRIES),
      truncated: path.length > MAX_ENTRIES || total > MAX_ENTRIES,
    };
  }
}

/** In order of time; entries of the same second in the order of PATH_KINDS. */
function entriesOf(
  session: Session,
  { click, install, transitions, goals, events }: Happened,
  maySeeRevenue: boolean,
): PathEntry[] {
  const entries = [
    ...(click ? [entry('CLICK', click.clickedAt)] : []),
    entry('START', session.startedAt, { platform: session.firstPlatform }),
    ...transitions.map(({ fromPlatform, toPlatform, occurredAt }) =>
      entry('TRANSITION', occurredAt, { fromPlatform, platform: toPlatform }),
    ),
    ...STAGES.flatMap(([stage], i) => {
      const at = session.stageTimes[i];
      return at && hasReached(session, stage) ? [entry('STAGE', at, { stage })] : [];
    }),
    ...(install ? [entry('INSTALL', install.installedAt)] : []),
    ...events.map(({ eventType, eventData, receivedAt }) => {
      const shown = maySeeRevenue ? eventData : withoutAmount(eventData);
      return entry('EVENT', receivedAt, { eventType, eventData: shown });
    }),
    ...goals.map(({ occurredAt, value, goalType, currency, transactionId, platform }) => {
      const shown = maySeeRevenue ? Number(value) : null;
      return entry('GOAL', occurredAt, { goalType, value: shown, currency, transactionId, platform });
    }),
  ];
  return entries.sort(
    (a, b) => Date.parse(a.at) - Date.parse(b.at) || PATH_KINDS.indexOf(a.kind) - PATH_KINDS.indexOf(b.kind),
  );
}

const NOTHING = {
  stage: null,
  platform: null,
  fromPlatform: null,
  eventType: null,
  eventData: null,
  goalType: null,
  value: null,
  currency: null,
  transactionId: null,
};

function entry(kind: PathEntry['kind'], at: Date | string, fields: Partial<PathEntry> = {}): PathEntry {
  return { ...NOTHING, ...fields, kind, at: typeof at === 'string' ? at : toDateTime(at) };
}

/** The properties of an event, without the one that counts as its amount. */
function withoutAmount(data: SessionEventItem['eventData']): SessionEventItem['eventData'] {
  if (data === null) return null;
  const { amount: _, ...others } = data;
  return others;
}
