import { Injectable, Logger } from '@nestjs/common';
import { webAddress } from '../../../common/display-text';
import { describeError } from '../../../common/logging/logger';
import { AppCache, type KnownApp } from '../../apps/cache/app-cache';
import { AppPageTokens } from '../../attribution/tokens/app-page-tokens';
import { DeepLinkTokensService } from '../../attribution/tokens/deep-link-tokens.service';
import type { Visitor } from '../../clicks/visitor-facts';
import { STORE_PARAMETER } from '../../domains/destinations/own-parameters';
import { queryParts, queryValue } from '../../domains/destinations/query';
import type { Html } from '../../pages/html';
import { appIdOf } from '../decisions';
import { storeAddress } from './app-address';
import { appPage, canBeOpened } from './app-page';
import { isVisit, type RedirectRequest } from '../redirect-request';
import type { CachedTrackedLink } from '../../tracked-links/tracked-link-cache';

/** A visit that may get the app page. */
export interface AppVisit {
  app: KnownApp;
  trackedLink: CachedTrackedLink;
  visitor: Visitor;
  location: string;
  /** The requested URL without its query. */
  address: string;
  onCustomDomain: boolean;
}

/** Prepares responses for phones on which a link can open an app. */
@Injectable()
export class AppAnswers {
  private readonly logger = new Logger(AppAnswers.name);

  constructor(
    private readonly apps: AppCache,
    private readonly tokens: AppPageTokens,
    private readonly reports: DeepLinkTokensService,
  ) {}

  /** The visitor's linked app: null if it can be neither opened nor installed, undefined if `find` must be called. */
  peek(trackedLink: CachedTrackedLink, visitor: Visitor): KnownApp | null | undefined {
    const id = appIdOf(trackedLink, visitor);
    if (id === null) return null;
    const app = this.apps.peek(id);
    return app && usable(app, trackedLink);
  }

  /** Like `peek`, but loads the app. Null on a failure, so that the link leads to its destination. */
  async find(trackedLink: CachedTrackedLink, visitor: Visitor): Promise<KnownApp | null> {
    const id = appIdOf(trackedLink, visitor);
    try {
      const app = id === null ? null : await this.apps.find(id);
      return app && usable(app, trackedLink);
    } catch (error) {
      this.logger.warn(`An app could not be looked up: ${describeError(error).message}`);
      return null;
    }
  }

  /** @returns the page, and the key under which its click is recorded; null if the destination is not a web URL */
  page(visit: AppVisit, redirectRequest: RedirectRequest): { page: Html; tokenKey: string } | null {
    const { token, key } = this.tokens.issue(visit.trackedLink.organizationId);
    const page = appPage(visit.trackedLink, visit.app, {
      ...visit,
      // A prefetched page must not report anything. HEAD needs the token for the right Content-Length.
      token: isVisit(redirectRequest) || redirectRequest.head ? token : '',
      webSdkUrl: this.tokens.webSdkUrl(visit.onCustomDomain),
      fallback: `${visit.address}?${STORE_PARAMETER}=${token}`,
    });
    return page && { page, tokenKey: key };
  }

  /**
   * The store URL and token of a request by which Android returns from the app page because it could not open the app;
   * null for other requests. It is not a visit of the link, so it is not counted and needs no password.
   */
  storeVisit(app: KnownApp, query: string): { store: string; token: string } | null {
    if (!query.includes(STORE_PARAMETER)) return null;
    const token = queryValue(queryParts(query), STORE_PARAMETER);
    const store = webAddress(app.storeUrl);
    if (token === null || store === null || !this.tokens.read(token)) return null;
    return { store: storeAddress(store, token), token };
  }

  /** Runs in the background, so that the visitor does not have to wait. */
  trackStoreVisit(token: string): void {
    this.reports
      .trackStoreVisit(token)
      .catch((error: unknown) =>
        this.logger.warn(`A store visit could not be recorded: ${describeError(error).message}`),
      );
  }
}

function usable(app: KnownApp, { organizationId }: CachedTrackedLink): KnownApp | null {
  return app.organizationId === organizationId && canBeOpened(app) ? app : null;
}
