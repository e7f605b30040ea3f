import { Injectable } from '@nestjs/common';
import { ValidationFailed } from '../../common/errors/errors';
import { DestinationPolicy } from '../domains/destinations/destination-policy';
import type { App, Platform } from './app.entity';
import { DomainError } from '../../common/errors/domain-error';

const BUNDLE_IDS: Readonly<Record<Platform, { form: RegExp; message: string }>> = {
  iOS: {
    form: /^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*$/,
    message: 'must be a bundle ID: letters, digits, "-" and "."',
  },
  Android: {
    form: /^[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)+$/,
    message:
      'must be a package name: two or more parts separated by dots, each a letter followed by letters, digits or "_"',
  },
  Web: { form: /^[\x21-\x7e]+$/, message: 'must be ASCII characters without spaces' },
};

type Checked = Partial<
  Pick<App, 'bundleId' | 'teamId' | 'sha256CertFingerprints' | 'storeUrl' | 'appIconUrl'>
>;

@Injectable()
export class AppRules {
  constructor(private readonly destinations: DestinationPolicy) {}

  /** @throws ValidationFailed naming a field that the platform does not have, or whose format is wrong for it */
  checkPlatform(platform: Platform, fields: Checked): void {
    const { form, message } = BUNDLE_IDS[platform];
    if (fields.bundleId && !form.test(fields.bundleId)) throw ValidationFailed.field('bundleId', message);
    if (fields.teamId && platform !== 'iOS') throw ValidationFailed.field('teamId', 'is for iOS apps only');
    if (fields.sha256CertFingerprints?.length && platform !== 'Android') {
      throw ValidationFailed.field('sha256CertFingerprints', 'is for Android apps only');
    }
  }

  /** Checks the URLs that the app page redirects to or loads. @throws DESTINATION_NOT_ALLOWED naming the field */
  async checkUrls(fields: Checked): Promise<void> {
    for (const field of ['storeUrl', 'appIconUrl'] as const) {
      const url = fields[field];
      const problem = url ? await this.destinations.problemWith(url) : null;
      if (problem) throw DomainError.inField('DESTINATION_NOT_ALLOWED', field, problem);
    }
  }
}
