import { cut } from '../../common/sanitize-text';
import { agentOf, UNKNOWN } from '../clicks/visitor-facts';
import { DEVICE_FIELDS, type DeviceInfo, MAX_DEVICE_TEXT } from './session';

/** Characters of a user agent that are parsed. */
const MAX_READ = 1_000;

/** Matches `Not)A;Brand`, a placeholder that Chromium adds to its client hints so that nobody relies on their order. */
const FAKE_BRAND = /^\W*Not.*Brand$/i;

/** The stored fields of a reported device. Missing fields are derived from its user agent. */
export function storedDevice(reported: DeviceInfo): DeviceInfo {
  const fields = cutDevice(reported);
  const derived = reported.userAgent ? knownAgent(readableAgent(reported.userAgent)) : {};
  const missing = Object.entries(derived).filter(([field]) => !fields[field as keyof typeof derived]);
  return { ...fields, ...Object.fromEntries(missing) };
}

/** The reported fields, truncated to their stored length. */
export function cutDevice(reported: DeviceInfo): DeviceInfo {
  const entries = DEVICE_FIELDS.flatMap((field) => {
    const text = reported[field] ?? null;
    return text === null ? [] : [[field, cut(text, MAX_DEVICE_TEXT)] as const];
  });
  const { browser, browserVersion, ...rest } = Object.fromEntries(entries) as DeviceInfo;
  if (FAKE_BRAND.test(browser ?? '')) return rest;
  return Object.fromEntries(entries);
}

/** Truncates a user agent to the part that is parsed. */
export function readableAgent(userAgent: string): string {
  return cut(userAgent, MAX_READ);
}

/** Device fields derived from a user agent; unknown ones are omitted. */
export function knownAgent(userAgent: string): Pick<DeviceInfo, 'os' | 'browser' | 'deviceType'> {
  const { os, browser, deviceType } = agentOf(userAgent);
  const known = Object.entries({ os, browser, deviceType }).filter(([, value]) => value !== UNKNOWN);
  return Object.fromEntries(known);
}
