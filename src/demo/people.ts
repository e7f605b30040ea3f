import { randomBytes } from 'node:crypto';
import { CreateInvitationRequest } from '../access/invitations/invitations.dto';
import { InvitationsService } from '../access/invitations/invitations.service';
import { CreateUserRequest } from '../access/users/users.dto';
import { UsersService } from '../access/users/users.service';
import { toRequest } from '../common/validation/to-request';
import { ContactsBulkService } from '../modules/contacts/bulk/contacts-bulk.service';
import { CreateGroupRequest } from '../modules/contacts/groups/contact-groups.dto';
import { ContactGroupsService } from '../modules/contacts/groups/contact-groups.service';
import { CreateSegmentRequest } from '../modules/segments/segments.dto';
import { SegmentsService } from '../modules/segments/segments.service';
import { BulkRegisterRequest } from '../modules/unsubscribes/unsubscribes.dto';
import { UnsubscribesService } from '../modules/unsubscribes/unsubscribes.service';
import { CITIES, COLLEAGUES, FAMILY_NAMES, GIVEN_NAMES, GRADES, memberId, SEGMENTS } from './catalogue';
import { ALL, DAYS, type Demo, momentOf, orTaken } from './demo';
import { Random } from './random';

const BATCH = 500;
const GROUPS = ['Newsletter', 'VIP', 'Gangnam store'];

export function contactCount({ clicks }: Demo): number {
  return Math.min(10_000, Math.max(100, Math.round(clicks / 50)));
}

/** Creates users, whose passwords nobody knows; `npm run sign-in` creates sign-in links for them. */
export async function fillMembers({ caller, clock, get, ...demo }: Demo): Promise<void> {
  for (const { day, ...colleague } of COLLEAGUES) {
    const username = `demo-${colleague.name.split(' ')[1]?.toLowerCase()}`;
    const password = randomBytes(24).toString('base64url');
    const request = toRequest(CreateUserRequest, { username, password, ...colleague });
    await orTaken(clock.at(momentOf(demo, day), () => get(UsersService).create(caller, request)));
  }
}

export async function inviteColleague({ caller, get }: Demo): Promise<void> {
  const fields = { email: 'yoon.nari@shop.example.com', role: 'EDITOR' };
  await orTaken(get(InvitationsService).create(caller, toRequest(CreateInvitationRequest, fields)));
}

/** @returns a function that evaluates the segments, for which the contacts must have been committed */
export async function fillSegments({ caller, get }: Demo): Promise<(() => Promise<unknown>)[]> {
  const segments = get(SegmentsService);
  const made = [];
  for (const { name, conditions } of SEGMENTS) {
    const group = {
      conditions: conditions.map(([propKey, propOp, propValue]) => ({ propKey, propOp, propValue })),
    };
    const request = toRequest(CreateSegmentRequest, { name, conditionGroups: [group] });
    made.push(await segments.create(caller, request));
  }
  return made.map(
    ({ id }) =>
      () =>
        segments.evaluate(caller, id),
  );
}

/** Creates contacts in groups, and opt-outs of some of them. */
export async function fillContacts(demo: Demo): Promise<void> {
  const { caller, clock } = demo;
  const groups = await fillGroups(demo);
  const random = new Random(2);
  const count = contactCount(demo);
  for (let first = 0; first < count; first += BATCH) {
    demo.stopping.throwIfAborted();
    const size = Math.min(BATCH, count - first);
    const items = Array.from({ length: size }, (_, i) => contact(random, first + i, groups));
    // Most contacts are older than the data.
    const day = Math.max(0, (first / count) * (DAYS + 60) - 60);
    const { failed } = await clock.at(momentOf(demo, day), () =>
      demo.get(ContactsBulkService).save(caller, items),
    );
    if (failed > 0) throw new Error(`${failed} contacts of the demo were refused`);
  }
  await optOut(demo, { channel: 'SMS', every: 31, valueOf: phoneOf });
  await optOut(demo, { channel: 'EMAIL', every: 23, valueOf: emailOf });
  demo.say(`${count} contacts`);
}

async function fillGroups({ caller, clock, get, ...demo }: Demo): Promise<number[]> {
  const service = get(ContactGroupsService);
  const [known] = await service.list(caller, ALL);
  const ids: number[] = [];
  for (const name of GROUPS) {
    const create = () =>
      clock.at(momentOf(demo, 0), () => service.create(caller, toRequest(CreateGroupRequest, { name })));
    ids.push((known.find((group) => group.name === name) ?? (await create())).id);
  }
  return ids;
}

const phoneOf = (number: number) => `+8210${String(20_000_000 + ((number * 7_919) % 30_000_000))}`;
const emailOf = (number: number) => `${memberId(number)}@shop.example.com`;

function contact(random: Random, number: number, groups: readonly number[]): object {
  const [newsletter, vip, store] = groups;
  const grade = random.happens(0.08) ? 'gold' : random.pick(GRADES.slice(1));
  return {
    externalUserId: memberId(number),
    name: `${random.pick(FAMILY_NAMES)} ${random.pick(GIVEN_NAMES)}`,
    phoneNumber: phoneOf(number),
    email: emailOf(number),
    locale: random.happens(0.85) ? 'ko-KR' : 'en-US',
    smsOptIn: random.happens(0.8),
    smsAdOptIn: random.happens(0.45),
    emailOptIn: random.happens(0.7),
    emailAdOptIn: random.happens(0.4),
    pushOptIn: random.happens(0.5),
    tags: random.happens(0.3) ? ['repeat customer'] : ['customer'],
    customFields: { grade, city: random.pick(CITIES), visits: String(random.int(60)) },
    groupId: grade === 'gold' ? vip : random.happens(0.6) ? newsletter : store,
  };
}

interface OptOuts {
  channel: 'SMS' | 'EMAIL';
  /** One contact in this many has opted out. */
  every: number;
  valueOf: (number: number) => string;
}

async function optOut(demo: Demo, { channel, every, valueOf }: OptOuts): Promise<void> {
  const items = Array.from({ length: Math.floor(contactCount(demo) / every) }, (_, i) => ({
    value: valueOf(i * every + 5),
    unsubscribedAt: new Date(momentOf(demo, (i * 17) % DAYS)).toISOString(),
  }));
  const request = toRequest(BulkRegisterRequest, { channel, source: 'customer center', items });
  await demo.get(UnsubscribesService).registerMany(demo.caller, request);
}
