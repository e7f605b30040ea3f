import { createWaypost, type Device, type Platform, type Waypost, type WaypostOptions } from '@waypost/app';
import type { Gateway } from './gateway';

/** A step of a running app, before which or after which it may be killed. */
export type Step = `${Operation} ${'before' | 'after'}`;

type Operation = 'getItem' | 'setItem' | 'removeItem' | 'keys' | 'fetch';

const NEVER = new Promise<never>(() => undefined);

export interface Start {
  waypost: Waypost;
  /** Ends the app: nothing that it waits for comes any more. */
  kill: () => void;
  /** Resolves once the app is killed at a step. */
  killed: Promise<Step>;
  /** Sends an address to the running app. */
  open: (url: string) => void;
  /** Brings the app to the foreground. */
  foreground: () => void;
}

export const IPHONE: Device = {
  osVersion: '26.1',
  model: 'iPhone18,1',
  isTablet: false,
  screen: { width: 402, height: 874 },
  language: 'ko-KR',
  timeZone: 'Asia/Seoul',
  appVersion: '4.2.0',
};

type Registered = { id: number; publishableKey: string };

/** A phone with one app, whose storage outlives each start of it. */
export class Phone {
  readonly stored = new Map<string, string>();
  os: Platform['os'] = 'IOS';
  device: Device = IPHONE;
  beforeRead: () => void = () => undefined;
  /** Called before each write; may throw as a full storage does. */
  beforeWrite: () => void = () => undefined;
  referrer: string | null = null;
  now: () => number;

  constructor(
    private readonly gateway: Gateway,
    private readonly app: Registered,
    clock: { now(): number },
  ) {
    this.now = () => clock.now();
  }

  /** @param options.url the address that starts the app @param options.killAt number of the step at which it is killed */
  start({
    url,
    killAt,
    ...more
  }: Partial<WaypostOptions> & { url?: string | null; killAt?: number } = {}): Start {
    let steps = 0;
    let isDead = false;
    let died: (step: Step) => void = () => undefined;
    const killed = new Promise<Step>((resolve) => (died = resolve));
    const urls: ((url: string) => void)[] = [];
    const foregrounds: (() => void)[] = [];
    const reach = (step: Step): Promise<void> | null => {
      if (!isDead && ++steps === killAt) {
        isDead = true;
        died(step);
      }
      return isDead ? NEVER : null;
    };
    const around = async <T>(name: Operation, work: () => T | Promise<T>) => {
      await reach(`${name} before`);
      const result = await work();
      await reach(`${name} after`);
      return result;
    };
    const platform: Platform = {
      os: this.os,
      storage: {
        keys: () =>
          around('keys', () => {
            this.beforeRead();
            return [...this.stored.keys()];
          }),
        getItem: (key) => around('getItem', () => this.stored.get(key) ?? null),
        setItem: (key, value) =>
          around('setItem', () => {
            this.beforeWrite();
            this.stored.set(key, value);
          }),
        removeItem: (key) => around('removeItem', () => void this.stored.delete(key)),
      },
      device: () => this.device,
      initialUrl: () => Promise.resolve(url ?? null),
      onUrl: (listener) => urls.push(listener),
      onForeground: (listener) => foregrounds.push(listener),
      installReferrer: () => Promise.resolve(this.referrer),
      fetch: (to, init) => around('fetch', () => fetch(to, init)),
      now: () => this.now(),
    };
    const { id, publishableKey } = this.app;
    const options = { appId: id, publishableKey, url: this.gateway.url, ...more };
    return {
      waypost: createWaypost({ ...options, platform }),
      killed,
      kill: () => {
        isDead = true;
      },
      open: (opened) => urls.forEach((listener) => listener(opened)),
      foreground: () => foregrounds.forEach((listener) => listener()),
    };
  }

  /** Calls that wait in storage. */
  get waiting(): { path: string; body: Record<string, unknown> }[] {
    const keys = [...this.stored.keys()].filter((key) => /\.q\.\d+$/.test(key)).sort();
    return keys.flatMap(
      (key) => JSON.parse(this.stored.get(key) ?? '[]') as { path: string; body: Record<string, unknown> }[],
    );
  }
}
