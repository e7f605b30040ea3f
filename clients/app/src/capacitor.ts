import { App as CapacitorApp } from '@capacitor/app';
import { Capacitor } from '@capacitor/core';
import { Device as CapacitorDevice } from '@capacitor/device';
import { Preferences } from '@capacitor/preferences';
import { createWaypost as create } from './index';
import type { Device, KeyValueStorage, Platform, Waypost, WaypostOptions } from './types';

export * from './index';

/** Options of this adapter. */
export interface AdapterOptions extends WaypostOptions {
  /** Overrides of the adapter, and Google Play's install referrer, which the adapter cannot read. */
  platform?: Partial<Platform>;
}

const TABLET_PX = 600;

const storage: KeyValueStorage = {
  getItem: async (key) => (await Preferences.get({ key })).value,
  setItem: (key, value) => Preferences.set({ key, value }),
  removeItem: (key) => Preferences.remove({ key }),
  keys: async () => (await Preferences.keys()).keys,
};

/**
 * Starts Waypost in a Capacitor app. It returns immediately and queues what is tracked meanwhile. Further calls return
 * the same instance.
 * @throws TypeError for invalid options
 */
export function createWaypost(options: AdapterOptions): Waypost {
  const name = Capacitor.getPlatform();
  const platform: Platform = {
    os: name === 'ios' ? 'IOS' : name === 'android' ? 'ANDROID' : 'WEB',
    storage,
    device,
    initialUrl: async () => (await CapacitorApp.getLaunchUrl())?.url ?? null,
    onUrl: (listener) => void CapacitorApp.addListener('appUrlOpen', ({ url }) => listener(url)),
    onForeground: (listener) => void CapacitorApp.addListener('resume', listener),
    onOnline: (listener) => addEventListener('online', listener),
    ...options.platform,
  };
  return create({ ...options, platform });
}

async function device(): Promise<Device> {
  const [info, language, app] = await Promise.all([
    CapacitorDevice.getInfo(),
    CapacitorDevice.getLanguageTag(),
    // There is no app on the web.
    CapacitorApp.getInfo().catch(() => null),
  ]);
  const { width, height } = screen;
  return {
    osVersion: info.osVersion,
    model: info.model,
    isTablet: Math.min(width, height) >= TABLET_PX,
    screen: { width, height },
    language: language.value,
    appVersion: app?.version,
    userAgent: navigator.userAgent,
  };
}
