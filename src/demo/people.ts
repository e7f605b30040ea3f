import { toRequest } from '../common/validation/to-request';
import { ContactsBulkService } from '../modules/contacts/bulk/contacts-bulk.service';
import { CreateGroupRequest } from '../modules/contacts/groups/contact-groups.dto';
import { ContactGroupsService } from '../modules/contacts/groups/contact-groups.service';
import { BulkRegisterRequest } from '../modules/unsubscribes/unsubscribes.dto';
import { UnsubscribesService } from '../modules/unsubscribes/unsubscribes.service';
import { CITIES, FAMILY_NAMES, GIVEN_NAMES, GRADES, memberId } from './catalogue';
import { DAYS, type Demo, momentOf, randomOf } from './demo';
import type { Random } from './random';

const BATCH = 500;
const TOLD_EVERY = 2_500;
const GROUPS = ['Newsletter', 'VIP', 'Gangnam store'];
const ALL = { page: 0, size: 100 };
/** One in so many has opted out. */
const OPTED_OUT = { SMS: 31, EMAIL: 23 };

/** How many people the shop knows. */
export function contactCount({ clicks }: Pick<Demo, 'clicks'>): number {
  return Math.min(10_000, Math.max(100, Math.round(clicks / 50)));
}

/** Contacts in groups, and opt-outs of some. */
export async function fillPeople(demo: Demo): Promise<void> {
  const { caller, clock } = demo;
  const groups = await fillGroups(demo);
  const random = randomOf('people');
  const count = contactCount(demo);
  for (let first = 0; first < count && !demo.stopping.aborted; first += BATCH) {
    const size = Math.min(BATCH, count - first);
    const items = Array.from({ length: size }, (_, i) => contact(random, first + i, groups));
    // Most are customers of old.
    const day = Math.max(0, (first / count) * (DAYS + 60) - 60);
    const { failed } = await clock.at(momentOf(demo, day), () =>
      demo.get(ContactsBulkService).save(caller, items),
    );
    if (failed > 0) throw new Error(`${failed} contacts of the demo were refused`);
    if ((first + size) % TOLD_EVERY === 0) demo.say(`Contacts: ${first + size} of ${count}`);
  }
  await optOut(demo, count, 'SMS', phoneOf);
  await optOut(demo, count, 'EMAIL', emailOf);
}

async function fillGroups(demo: Demo): Promise<number[]> {
  const { caller, clock } = demo;
  const service = demo.get(ContactGroupsService);
  const [known] = await service.list(caller, ALL);
  const ids: number[] = [];
  for (const name of GROUPS) {
    const request = toRequest(CreateGroupRequest, { name });
    const create = () => clock.at(momentOf(demo, 0), () => service.create(caller, request));
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

async function optOut(
  demo: Demo,
  count: number,
  channel: keyof typeof OPTED_OUT,
  valueOf: (number: number) => string,
): Promise<void> {
  const every = OPTED_OUT[channel];
  const items = Array.from({ length: Math.floor(count / every) }, (_, i) => ({
    value: valueOf(i * every + 5),
    unsubscribedAt: new Date(momentOf(demo, (i * 17) % DAYS)).toISOString(),
  }));
  if (items.length === 0) return;
  const request = toRequest(BulkRegisterRequest, { channel, source: 'customer center', items });
  await demo.get(UnsubscribesService).registerMany(demo.caller, request);
}
