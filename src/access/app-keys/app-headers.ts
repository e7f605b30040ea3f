import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Clock } from '../../common/time/clock';
import { hashKey } from '../api-keys/key-format';
import { AppHeaderError } from '../access.errors';
import type { AppCaller, AppKeyKind } from '../caller';
import {
  activeAddOns,
  type CachedOrganization,
  OrganizationCache,
} from '../organizations/organization-cache';
import { type KeyedApp, KeyedApps } from './keyed-apps';

export const APP_ID_HEADER = 'X-App-ID';
export const APP_KEY_HEADER = 'X-Mobile-App-API-Key';
export const SIGNATURE_HEADER = 'X-Identity-Signature';

const MISSING = `The headers ${APP_ID_HEADER} and ${APP_KEY_HEADER} are both required`;
const WRONG = `${APP_ID_HEADER} and ${APP_KEY_HEADER} do not match`;
const NUMERIC = /^-?\d+$/;
/** Compared if the app does not exist, so that the check takes as long as that of a wrong key. */
const NOBODYS_HASH = Buffer.alloc(32);

/** Authenticates an app by its two headers, from a cache (docs/concepts/access.md#app-keys). */
@Injectable()
export class AppHeaders {
  constructor(
    private readonly apps: KeyedApps,
    private readonly organizations: OrganizationCache,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws API_KEY_MISSING if either header is missing; VALIDATION_FAILED if X-App-ID is not a number; API_KEY_INVALID if
   * they do not match, which does not reveal whether the app exists
   */
  async authenticate(
    request: Request,
    ip: string,
  ): Promise<{ caller: AppCaller; app: KeyedApp; snapshot: CachedOrganization }> {
    const idText = request.get(APP_ID_HEADER);
    const key = request.get(APP_KEY_HEADER);
    if (!idText || !key) throw new AppHeaderError('API_KEY_MISSING', MISSING);
    if (!NUMERIC.test(idText)) {
      const details = [{ field: APP_ID_HEADER, message: 'must be numeric' }];
      throw new AppHeaderError('VALIDATION_FAILED', 'X-App-ID: must be numeric', { details });
    }
    const id = Number(idText);
    const app = Number.isSafeInteger(id) ? await this.apps.find(id) : null;
    const kind = kindOf(app, key);
    const snapshot = app && kind ? await this.organizations.get(app.organizationId) : null;
    if (!app || !kind || !snapshot) throw new AppHeaderError('API_KEY_INVALID', WRONG);
    return { caller: this.toCaller(app, kind, snapshot, ip), app, snapshot };
  }

  private toCaller(app: KeyedApp, key: AppKeyKind, snapshot: CachedOrganization, ip: string): AppCaller {
    const { organization } = snapshot;
    return {
      organizationId: organization.id,
      appId: app.id,
      key,
      appPlatform: app.platform,
      organization,
      addOns: activeAddOns(snapshot, this.clock.now()),
      actor: { type: 'APP', id: app.id, name: app.name },
      userId: null,
      username: null,
      permissions: new Set(),
      role: null,
      ip,
    };
  }
}

/** The publishable key is no secret, so that the time of its comparison may tell something about it. */
function kindOf(app: KeyedApp | null, key: string): AppKeyKind | null {
  if (timingSafeEqual(app?.keyHash ?? NOBODYS_HASH, hashKey(key))) return 'secret';
  return app?.publishableKey === key ? 'publishable' : null;
}
