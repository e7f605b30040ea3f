import { Global, Module } from '@nestjs/common';
import { KeyedApps } from '../../../access/app-keys/keyed-apps';
import { AppKeyCache } from './app-key-cache';
import { AppKeys } from './app-keys';

/** Provides app keys to the access guards. Global, because access must not import apps. */
@Global()
@Module({
  providers: [AppKeys, AppKeyCache, { provide: KeyedApps, useExisting: AppKeyCache }],
  exports: [AppKeys, AppKeyCache, KeyedApps],
})
export class KeyedAppsModule {}
