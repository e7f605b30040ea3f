import { deviceOf, type DeviceReport } from '../../src/modules/attribution/fingerprints/device';
import { type Candidate, chooseClick } from '../../src/modules/attribution/fingerprints/fingerprint-choice';
import { appOf, type Browser, looksLike, pageOf, type Phone, phoneOf } from './phones';
import { pick, type Random, seeded } from './random';

/*
 * Models visitors of an app's links with networks and browsers of 2026: homes and offices behind one IP address, carrier
 * NAT, Private Relay, frozen OS versions, identical phones, clicks without a start, and starts from a different network
 * than the click.
 */
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

interface PopulationClick {
  at: number;
  ip: string;
}

export interface Person {
  number: number;
  phone: Phone;
  clicks: PopulationClick[];
  /** The page's report, or the request's headers if there are no scripts. */
  page: DeviceReport;
  /** Random id stored in the browser; null without storage or scripts. */
  browserId: string | null;
  /** The app's first start, or null. */
  start: { at: number; ip: string } | null;
  /** The app's report at its first start. */
  app: DeviceReport;
}

interface PopulationOptions {
  seed: number;
  visitors: number;
  addresses: number;
  startsAt: number;
}

export function makePopulation(options: PopulationOptions): Person[] {
  const random = seeded(options.seed);
  const networks = networksOf(random, options.addresses);
  return Array.from({ length: options.visitors }, (_, number) =>
    makePerson(random, networks, number, options),
  );
}

interface Networks {
  home: () => string;
  office: () => string;
  shared: () => string;
}

/**
 * Seven in ten IP addresses are homes; the rest are offices, some of them large, and shared addresses of mobile networks
 * and relays.
 */
function networksOf(random: Random, addresses: number): Networks {
  const homes = Math.floor(addresses * 0.7);
  const offices = Math.floor(addresses * 0.275);
  const shared = addresses - homes - offices;
  // Every address gets one person first; the others are distributed randomly.
  const among = (first: number, count: number, skew: number) => {
    let taken = 0;
    return () => {
      const n = taken < count ? taken++ : Math.floor(random() ** skew * count);
      return `${first}.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
    };
  };
  return { home: among(58, homes, 1), office: among(112, offices, 1.5), shared: among(172, shared, 1) };
}

function makePerson(
  random: Random,
  networks: Networks,
  number: number,
  { startsAt }: PopulationOptions,
): Person {
  const phone = phoneOf(random);
  const place = pick(random, [
    [34, networks.home],
    [56, networks.office],
    [10, networks.shared],
  ])();
  const browser = pick<Browser>(random, [
    [79.5, 'system'],
    [20, 'inApp'],
    [0.5, 'bare'],
  ]);
  const relayed = phone.os === 'iOS' && browser === 'system' && random() < 0.04;
  const moves = random() < 0.005;
  const first = startsAt + random() * DAY_MS;
  const clickedFrom = relayed || moves ? networks.shared() : place;
  const clicks = [{ at: first, ip: clickedFrom }];
  if (random() < 0.1) clicks.push({ at: first + random() * HOUR_MS, ip: clickedFrom });
  const last = clicks.at(-1)?.at ?? first;
  // An app's own calls mostly bypass a relay; otherwise they have a shared address as well.
  const startedFrom = relayed && random() < 0.1 ? networks.shared() : place;
  return {
    number,
    phone,
    clicks,
    page: pageOf(random, phone, browser),
    browserId: browser === 'bare' || random() < 0.02 ? null : `browser-${number}`,
    start: random() < 0.2 ? null : { at: last + delayOf(random), ip: startedFrom },
    app: appOf(phone),
  };
}

/** Delay from click to first start: a median of eight minutes, hours or more than a day for some. */
function delayOf(random: Random): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return 8 * MINUTE_MS * Math.exp(1.8 * normal);
}

/**
 * Whether the available data distinguishes a start from other people's clicks at the same IP address within a day,
 * regardless of scores.
 */
function isDistinguishable(person: Person, neighbours: readonly Person[]): boolean {
  const { start, clicks } = person;
  if (!start) return false;
  const isOpen = ({ at, ip }: PopulationClick) => ip === start.ip && at <= start.at && start.at - at < DAY_MS;
  if (!clicks.some(isOpen)) return false;
  const alike = neighbours.filter(
    (other) =>
      other !== person &&
      other.clicks.some(isOpen) &&
      // The other person clicked at the same address and has not started the app before.
      !(other.start && other.start.at < start.at && other.start.ip === start.ip) &&
      looksLike(other, person),
  );
  return alike.length === 0;
}

/** The person with whose click each start was matched, or null. */
type Matches = ReadonlyMap<Person, Person | null>;

interface PopulationFigures {
  visitors: number;
  addresses: number;
  starts: number;
  distinguishable: number;
  /** Number of correct matches among these. */
  right: number;
  wrong: number;
}

/** Clicks and starts in chronological order. */
function eventsOf(people: readonly Person[]) {
  return people
    .flatMap((person) => [
      ...person.clicks.map((click) => ({ ...click, person, isStart: false })),
      ...(person.start ? [{ ...person.start, person, isStart: true }] : []),
    ])
    .sort((a, b) => a.at - b.at);
}

/** Simulates clicks and starts in order, with clicks indexed by IP address. */
export function matchInMemory(people: readonly Person[]): Map<Person, Person | null> {
  const matches = new Map<Person, Person | null>();
  const open = new Map<string, (Candidate & { person: Person })[]>();
  for (const { at, ip, person, isStart } of eventsOf(people)) {
    const clicks = open.get(ip) ?? [];
    if (!isStart) {
      const visitor = person.browserId ?? JSON.stringify(person.page);
      open.set(ip, [...clicks, { visitor, clickedAt: at, device: deviceOf(person.page), person }]);
      continue;
    }
    const fresh = clicks.filter(({ clickedAt }) => at - clickedAt < DAY_MS);
    const choice = chooseClick(fresh, deviceOf(person.app));
    const candidate = 'reason' in choice ? null : choice.candidate;
    matches.set(person, candidate && candidate.person);
    open.set(
      ip,
      clicks.filter((click) => click !== candidate),
    );
  }
  return matches;
}

export function figuresOf(people: readonly Person[], matches: Matches): PopulationFigures {
  const neighbours = new Map<string, Person[]>();
  for (const person of people) {
    for (const ip of new Set(person.clicks.map((click) => click.ip))) {
      neighbours.set(ip, [...(neighbours.get(ip) ?? []), person]);
    }
  }
  const distinguishable = people.filter((person) =>
    isDistinguishable(person, neighbours.get(person.start?.ip ?? '') ?? []),
  );
  return {
    visitors: people.length,
    addresses: new Set(
      people.flatMap(({ clicks, start }) => [...clicks, ...(start ? [start] : [])].map(({ ip }) => ip)),
    ).size,
    starts: matches.size,
    distinguishable: distinguishable.length,
    right: distinguishable.filter((person) => matches.get(person) === person).length,
    wrong: [...matches].filter(([person, match]) => match !== null && match !== person).length,
  };
}

/** Summary for a test's output. */
export function inWords(figures: PopulationFigures): string {
  const { visitors, addresses, starts, distinguishable, right, wrong } = figures;
  const percent = (part: number, of: number) => `${((100 * part) / of).toFixed(2)} %`;
  return (
    `${visitors} visitors, ${addresses} addresses, ${starts} starts; wrong: ${wrong} (${percent(wrong, visitors)}); ` +
    `right: ${right} of ${distinguishable} that are distinguishable (${percent(right, distinguishable)})`
  );
}
