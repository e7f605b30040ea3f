import { cut } from '../../common/validation/atoms';
import { agentOf, UNKNOWN } from '../clicks/visitor-facts';
import { DEVICE_FIELDS, type DeviceInfo, MAX_DEVICE_TEXT } from './session';

/** Characters of a user agent that are read. */
const MAX_READ = 1_000;

/** `Not)A;Brand`, which Chromium adds to its client hints so that nobody relies on their order. */
const FAKE_BRAND = /^\W*Not.*Brand$/i;

/** The stored fields of a device as a client reports it. Missing fields are read from its user agent. */
export function storedDevice(reported: DeviceInfo): DeviceInfo {
  const fields = cutDevice(reported);
  const read = reported.userAgent ? knownAgent(readableAgent(reported.userAgent)) : {};
  const missing = Object.entries(read).filter(([field]) => !fields[field as keyof typeof read]);
  return { ...fields, ...Object.fromEntries(missing) };
}

/** The fields that a client reports, cut to their stored length. */
export function cutDevice(reported: DeviceInfo): DeviceInfo {
  const entries = DEVICE_FIELDS.flatMap((field) => {
    const text = reported[field] ?? null;
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
