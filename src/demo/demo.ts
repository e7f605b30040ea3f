import type { INestApplicationContext, Type } from '@nestjs/common';
import type { AppCaller, Caller } from '../access/caller';
import { platform } from '../access/console/console-tokens';
import { DEMO_USER } from '../access/demo-organization';
import { activeAddOns, OrganizationCache } from '../access/organizations/organization-cache';
import { callerFor } from '../access/console/caller-for';
import { UsersService } from '../access/users/users.service';
import type { App } from '../modules/apps/app.entity';
import type { DemoClock } from './demo-clock';
import { Random } from './random';

const THIS_MACHINE = '127.0.0.1';
const ALL_USERS = { page: 0, size: 100 };
const DAY_MS = 86_400_000;
export const DAYS = 90;

/** What every part of the filling needs. */
export interface Demo {
  readonly caller: Caller;
  readonly clock: DemoClock;
  /** The first day of the data and its end, in milliseconds. */
  readonly from: number;
  readonly to: number;
  /** Clicks to count; the number of everything else that grows follows from it. */
  readonly clicks: number;
  readonly stopping: AbortSignal;
  readonly say: (line: string) => void;
  /** A service of the application. */
  readonly get: <T>(service: Type<T>) => T;
}

/** A moment on a day of the data, from 0; never in the future. */
export function momentOf({ from, to }: Demo, day: number): number {
  return Math.min(from + day * DAY_MS, to - 1);
}

/** Random numbers of one part, so that a change of one part leaves the others as they are. */
export function randomOf(part: string): Random {
  let seed = 2_166_136_261;
  for (const letter of part) seed = Math.imul(seed ^ letter.charCodeAt(0), 16_777_619);
  return new Random(seed);
}

/** The first user of the Demo organization, or the platform if that user is gone. */
export async function demoCaller(nest: INestApplicationContext, organizationId: number): Promise<Caller> {
  const found = await nest.get(OrganizationCache, { strict: false }).get(organizationId);
  if (!found) throw new Error('The Demo organization does not exist');
  const { organization } = found;
  const bound = { organizationId, organization, addOns: activeAddOns(found, Date.now()) };
  const asPlatform: Caller = { ...platform(THIS_MACHINE), ...bound };
  const [users] = await nest.get(UsersService, { strict: false }).list(asPlatform, ALL_USERS);
  const user = users.find(({ username }) => username === DEMO_USER);
  return user ? { ...callerFor(user, THIS_MACHINE), ...bound } : asPlatform;
}

/** An app of the organization, as it reports sessions. */
export function appCaller(caller: Caller, app: App, ip: string): AppCaller {
  const { organizationId, organization, addOns } = caller;
  return {
    ...{ organizationId, organization, addOns, ip },
    appId: app.id,
    appPlatform: app.platform,
    actor: { type: 'APP', id: app.id, name: app.appName },
    userId: null,
    username: null,
    permissions: new Set(),
    role: null,
  };
}
