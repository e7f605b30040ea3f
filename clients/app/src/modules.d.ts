/** The parts of the platforms' modules that the adapters use; a test compiles the adapters against the real types. */
declare module 'react-native' {
  export const Platform: { OS: string; Version: string | number; constants: object; isPad?: boolean };
  export const Dimensions: { get(dimension: 'screen'): { width: number; height: number } };
  export const AppState: { addEventListener(type: 'change', listener: (state: string) => void): unknown };
  export const Linking: {
    getInitialURL(): Promise<string | null>;
    addEventListener(type: 'url', listener: (event: { url: string }) => void): unknown;
  };
}

declare module '@react-native-async-storage/async-storage' {
  const storage: {
    getItem(key: string): Promise<string | null>;
    setItem(key: string, value: string): Promise<void>;
    removeItem(key: string): Promise<void>;
    getAllKeys(): Promise<readonly string[]>;
  };
  export default storage;
}

declare module 'react-native-play-install-referrer' {
  export const PlayInstallReferrer: {
    getInstallReferrerInfo(
      callback: (info: { installReferrer: string | null } | null, error: { message: string } | null) => void,
    ): void;
  };
}

declare module 'expo-linking' {
  export function getInitialURL(): Promise<string | null>;
  export function addEventListener(type: 'url', handler: (event: { url: string }) => void): unknown;
}

declare module 'expo-application' {
  export const nativeApplicationVersion: string | null;
  export function getInstallReferrerAsync(): Promise<string>;
}

declare module 'expo-device' {
  export const osVersion: string | null;
  export const modelName: string | null;
  export const modelId: unknown;
}

declare module 'expo-localization' {
  export function getLocales(): { languageTag: string }[];
  export function getCalendars(): { timeZone: string | null }[];
}

declare module '@capacitor/core' {
  export const Capacitor: { getPlatform(): string };
}

declare module '@capacitor/app' {
  export const App: {
    getInfo(): Promise<{ version: string }>;
    getLaunchUrl(): Promise<{ url: string } | undefined>;
    addListener(event: 'appUrlOpen', listener: (event: { url: string }) => void): Promise<unknown>;
    addListener(event: 'resume', listener: () => void): Promise<unknown>;
  };
}

declare module '@capacitor/preferences' {
  export const Preferences: {
    get(options: { key: string }): Promise<{ value: string | null }>;
    set(options: { key: string; value: string }): Promise<void>;
    remove(options: { key: string }): Promise<void>;
    keys(): Promise<{ keys: string[] }>;
  };
}

declare module '@capacitor/device' {
  export const Device: {
    getInfo(): Promise<{ model: string; osVersion: string }>;
    getLanguageTag(): Promise<{ value: string }>;
  };
}
