import { App } from './app';
import { readSettings } from './settings';
import type { CoreOptions, KeyValueStorage, Waypost } from './types';

export { WaypostError } from './api';
export { version } from './version';
export type * from './types';

/** One instance per storage and app, because two would send what waits twice. */
const instances = new WeakMap<KeyValueStorage, Map<number, App>>();

/**
 * Starts Waypost. It returns immediately and queues what is tracked meanwhile. Further calls return the same instance.
 * @throws TypeError for invalid options
 */
export function createWaypost(options: CoreOptions): Waypost {
  const settings = readSettings(options);
  const { storage } = settings.platform;
  const ofStorage = instances.get(storage) ?? new Map<number, App>();
  instances.set(storage, ofStorage);
  const app = ofStorage.get(settings.appId) ?? new App(settings);
  ofStorage.set(settings.appId, app);
  return app;
}
