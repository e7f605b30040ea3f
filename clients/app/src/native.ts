import AsyncStorage from '@react-native-async-storage/async-storage';
import { AppState, Dimensions, Linking, Platform as Native } from 'react-native';
import type { Device, KeyValueStorage, Platform, WaypostOptions } from './types';

/** Options of an adapter. */
export interface AdapterOptions extends WaypostOptions {
  /** Overrides of the adapter, such as another storage or a network listener. */
  platform?: Partial<Platform>;
}

const TABLET_DP = 600;

/** Unwraps the default export of a CommonJS module. */
const asyncStorage = 'default' in AsyncStorage ? (AsyncStorage.default as typeof AsyncStorage) : AsyncStorage;

const storage: KeyValueStorage = {
  getItem: (key) => asyncStorage.getItem(key),
  setItem: (key, value) => asyncStorage.setItem(key, value),
  removeItem: (key) => asyncStorage.removeItem(key),
  keys: () => asyncStorage.getAllKeys(),
};

/** Shared by React Native and Expo. */
export const native = {
  os: Native.OS === 'ios' ? 'IOS' : Native.OS === 'android' ? 'ANDROID' : 'WEB',
  storage,
  initialUrl: () => Linking.getInitialURL(),
  onUrl: (listener) => {
    Linking.addEventListener('url', ({ url }) => listener(url));
  },
  onForeground: (listener) => {
    AppState.addEventListener('change', (state) => {
      if (state === 'active') listener();
    });
  },
} satisfies Platform;

export function nativeDevice(): Device {
  const screen = Dimensions.get('screen');
  // On Android, `Version` is the level of the API.
  const { Release, Model } = Native.constants as { Release?: string; Model?: string };
  const isAndroid = Native.OS === 'android';
  return {
    osVersion: isAndroid ? Release : String(Native.Version),
    model: Model,
    isTablet: isAndroid
      ? Math.min(screen.width, screen.height) >= TABLET_DP
      : 'isPad' in Native && Native.isPad,
    screen: { width: screen.width, height: screen.height },
    language: language(),
  };
}

function language(): string | null {
  try {
    return Intl.DateTimeFormat().resolvedOptions().locale;
  } catch {
    return null;
  }
}
