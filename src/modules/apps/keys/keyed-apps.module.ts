import { Global, Module } from '@nestjs/common';
import { KeyedApps } from '../../../access/app-keys/keyed-apps';
import { AppKeyCache } from '../cache/app-key-cache';

/** Tells the access guards of apps. Global, as access stands below apps and can't import them. */
@Global()
@Module({
  providers: [AppKeyCache, { provide: KeyedApps, useExisting: AppKeyCache }],
  exports: [AppKeyCache, KeyedApps],
})
export class KeyedAppsModule {}
