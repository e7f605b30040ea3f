import { Global, Module } from '@nestjs/common';
import { KeyedApps } from '../../../access/app-keys/keyed-apps';
import { AppKeyDirectory } from '../cache/app-key-cache';

/** Tells the access guards of apps. Global, as access stands below apps and can't import them. */
@Global()
@Module({
  providers: [AppKeyDirectory, { provide: KeyedApps, useExisting: AppKeyDirectory }],
  exports: [AppKeyDirectory, KeyedApps],
})
export class KeyedAppsModule {}
