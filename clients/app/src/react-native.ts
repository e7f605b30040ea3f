import { PlayInstallReferrer } from 'react-native-play-install-referrer';
import { createWaypost as create } from './index';
import { type AdapterOptions, native, nativeDevice } from './native';
import type { Waypost } from './types';

export * from './index';
export type { AdapterOptions };

/**
 * Starts Waypost in a React Native app. It returns immediately and queues what is tracked meanwhile. Further calls
 * return the same instance.
 * @throws TypeError for invalid options
 */
export function createWaypost(options: AdapterOptions): Waypost {
  const platform = { ...native, device: nativeDevice, installReferrer, ...options.platform };
  return create({ ...options, platform });
}

function installReferrer(): Promise<string | null> {
  if (native.os !== 'ANDROID') return Promise.resolve(null);
  return new Promise((resolve) => {
    PlayInstallReferrer.getInstallReferrerInfo((info, error) =>
      resolve(error ? null : (info?.installReferrer ?? null)),
    );
  });
}
