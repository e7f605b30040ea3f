import { DomainError } from '../../common/errors/domain-error';

/** The organization already has an app with that platform and bundle ID. */
export class BundleIdTaken extends DomainError {
  constructor(bundleId: string) {
    const details = [{ field: 'bundleId', message: 'is already used by another app of that platform' }];
    super(409, 'BUNDLE_ID_TAKEN', `Another app on that platform has the bundle ID ${bundleId}`, { details });
  }
}
