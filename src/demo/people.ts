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
import { memberId } from './catalogue';
import { ALL, DAYS, type Demo, momentOf, orTaken } from './demo';
import { happens, int, pick } from './random';

const BATCH = 500;
const COLLEAGUES = [
  { username: 'demo-seoyeon', name: 'Park Seoyeon', role: 'EDITOR', permissions: ['revenue.view'] },
  {
    username: 'demo-minjun',
    name: 'Choi Minjun',
    role: 'VIEWER',
    permissions: ['mau.view', 'segments.view'],
  },
  { username: 'demo-hayun', name: 'Jung Hayun', role: 'VIEWER', permissions: [] },
];
const FAMILY_NAMES = ['Kim', 'Lee', 'Park', 'Choi', 'Jung', 'Kang', 'Cho', 'Yoon', 'Jang', 'Lim'];
const GIVEN_NAMES = ['Minji', 'Jisoo', 'Seoyeon', 'Hayun', 'Jiwoo', 'Minjun', 'Seojun', 'Doyun', 'Yejun'];
const CITIES = ['Seoul', 'Busan', 'Incheon', 'Daegu', 'Daejeon', 'Gwangju', 'Suwon', 'Jeju'];
const GRADES = ['bronze', 'silver', 'gold'];
const GROUPS = ['Newsletter', 'Gangnam store', 'VIP'];
const SEGMENTS = [
  ['Big spenders', 'activity.purchase.sum', 'GTE', 100_000],
  ['Gold members', 'custom.grade', 'EQ', 'gold'],
  ['May get advertising by text message', 'smsAdOptIn', 'EQ', true],
  ['Never bought anything', 'activity.purchase.count', 'NOT_EXISTS', undefined],
] as const;

export function contactCount({ clicks }: Demo): number {
  return Math.min(10_000, Math.max(100, Math.round(clicks / 50)));
}

/** Creates users, whose passwords nobody knows; `npm run sign-in` creates sign-in links for them. */
export async function fillMembers({ caller, clock, from, get }: Demo): Promise<void> {
  for (const colleague of COLLEAGUES) {
    const password = randomBytes(24).toString('base64url');
    const request = toRequest(CreateUserRequest, { ...colleague, password });
    await orTaken(clock.at(from, () => get(UsersService).create(caller, request)));
  }
}

export async function inviteColleague({ caller, get }: Demo): Promise<void> {
  const fields = { email: 'yoon.nari@shop.example.com', role: 'EDITOR' };
  await get(InvitationsService).create(caller, toRequest(CreateInvitationRequest, fields));
}

export async function fillSegments({ caller, get }: Demo): Promise<number[]> {
  const ids: number[] = [];
  for (const [name, propKey, propOp, propValue] of SEGMENTS) {
    const conditionGroups = [{ conditions: [{ propKey, propOp, propValue }] }];
    const request = toRequest(CreateSegmentRequest, { name, conditionGroups });
    ids.push((await get(SegmentsService).create(caller, request)).id);
  }
  return ids;
}

/** Creates contacts in groups, and opt-outs of some of them. */
export async function fillContacts(demo: Demo): Promise<void> {
  const groups = await fillGroups(demo);
  const count = contactCount(demo);
  for (let first = 0; first < count; first += BATCH) {
    demo.stopping.throwIfAborted();
    const size = Math.min(BATCH, count - first);
    const items = Array.from({ length: size }, (_, i) => contact(first + i, groups));
    const { failed } = await demo.clock.at(momentOf(demo, (first / count) * DAYS), () =>
      demo.get(ContactsBulkService).save(demo.caller, items),
    );
    if (failed > 0) throw new Error(`${failed} contacts of the demo were refused`);
  }
  await optOut(demo, 'SMS', phoneOf);
  await optOut(demo, 'EMAIL', emailOf);
  demo.say(`${count} contacts`);
}

async function fillGroups({ caller, clock, from, get }: Demo): Promise<number[]> {
  const service = get(ContactGroupsService);
  const [known] = await service.list(caller, ALL);
  const ids: number[] = [];
  for (const name of GROUPS) {
    const create = () =>
      clock.at(from, () => service.create(caller, toRequest(CreateGroupRequest, { name })));
    ids.push((known.find((group) => group.name === name) ?? (await create())).id);
  }
  return ids;
}

const phoneOf = (number: number) => `+8210${20_000_000 + number * 2_999}`;
const emailOf = (number: number) => `${memberId(number)}@shop.example.com`;

function contact(number: number, groups: readonly number[]): object {
  return {
    externalUserId: memberId(number),
    name: `${pick(FAMILY_NAMES)} ${pick(GIVEN_NAMES)}`,
    phoneNumber: phoneOf(number),
    email: emailOf(number),
    locale: happens(0.85) ? 'ko-KR' : 'en-US',
    smsOptIn: happens(0.8),
    smsAdOptIn: happens(0.45),
    emailOptIn: happens(0.7),
    emailAdOptIn: happens(0.4),
    pushOptIn: happens(0.5),
    tags: [pick(['customer', 'repeat customer'])],
    customFields: { grade: pick(GRADES), city: pick(CITIES), visits: String(int(60)) },
    groupId: pick(groups),
  };
}

/** Opts out one contact in 25. */
async function optOut(
  demo: Demo,
  channel: 'SMS' | 'EMAIL',
  valueOf: (number: number) => string,
): Promise<void> {
  const items = Array.from({ length: contactCount(demo) / 25 }, (_, i) => ({
    value: valueOf(i * 25 + 5),
    unsubscribedAt: new Date(momentOf(demo, int(DAYS))).toISOString(),
  }));
  const request = toRequest(BulkRegisterRequest, { channel, source: 'customer center', items });
  await demo.get(UnsubscribesService).registerMany(demo.caller, request);
}
