import * as Application from 'expo-application';
import * as ExpoDevice from 'expo-device';
import * as Linking from 'expo-linking';
import * as Localization from 'expo-localization';
import { createWaypost as create } from './index';
import { type AdapterOptions, native, nativeDevice } from './native';
import type { Device, Platform, Waypost } from './types';

export * from './index';
export type { AdapterOptions };

const expo: Platform = {
  ...native,
  initialUrl: () => Linking.getInitialURL(),
  onUrl: (listener) => {
    Linking.addEventListener('url', ({ url }) => listener(url));
  },
  device,
  installReferrer: () =>
    native.os === 'ANDROID' ? Application.getInstallReferrerAsync() : Promise.resolve(null),
};

/**
 * Starts Waypost in an Expo app. It returns immediately and queues what is tracked meanwhile. Further calls return the
 * same instance.
 * @throws TypeError for invalid options
 */
export function createWaypost(options: AdapterOptions): Waypost {
  return create({ ...options, platform: { ...expo, ...options.platform } });
}

function device(): Device {
  const { modelId, modelName } = ExpoDevice;
  return {
    ...nativeDevice(),
    osVersion: ExpoDevice.osVersion,
    model: typeof modelId === 'string' ? modelId : modelName,
    language: Localization.getLocales()[0]?.languageTag,
    timeZone: Localization.getCalendars()[0]?.timeZone,
    appVersion: Application.nativeApplicationVersion,
  };
}
