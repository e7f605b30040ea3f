import { cut } from '../../common/validation/atoms';
import { agentOf, UNKNOWN } from '../clicks/user-agent';
import { DEVICE_FIELDS, type DeviceInfo, MAX_DEVICE_TEXT } from './session';

/** Characters of a user agent that are read. */
const MAX_READ = 1_000;

/** `Not)A;Brand`, which Chromium adds to its client hints so that nobody relies on their order. */
const FAKE_BRAND = /^\W*Not.*Brand$/i;

/** What is kept of a device that a client tells of. What it leaves out is read from its user agent. */
export function keptDevice(told: DeviceInfo): DeviceInfo {
  const said = cutDevice(told);
  const read = told.userAgent ? knownAgent(readableAgent(told.userAgent)) : {};
  const missing = Object.entries(read).filter(([field]) => !said[field as keyof typeof read]);
  return { ...said, ...Object.fromEntries(missing) };
}

/** What a client tells, none of it longer than what is kept. */
export function cutDevice(told: DeviceInfo): DeviceInfo {
  const entries = DEVICE_FIELDS.flatMap((field) => {
    const text = told[field] ?? null;
    return text === null ? [] : [[field, cut(text, MAX_DEVICE_TEXT)] as const];
  });
  const { browser, browserVersion, ...rest } = Object.fromEntries(entries) as DeviceInfo;
  if (FAKE_BRAND.test(browser ?? '')) return rest;
  return Object.fromEntries(entries);
}

/** The part of a user agent that is read. */
export function readableAgent(userAgent: string): string {
  return cut(userAgent, MAX_READ);
}

/** What a user agent says of the device, without what it does not say. */
export function knownAgent(userAgent: string): Pick<DeviceInfo, 'os' | 'browser' | 'deviceType'> {
  const { os, browser, deviceType } = agentOf(userAgent);
  const known = Object.entries({ os, browser, deviceType }).filter(([, value]) => value !== UNKNOWN);
  return Object.fromEntries(known);
}
