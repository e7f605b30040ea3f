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
import type { TrackedLink } from '../tracked-link';

/** The app page of one visit. */
export interface AppVisit {
  app: KnownApp;
  trackedLink: TrackedLink;
  visitor: Visitor;
  location: string;
  /** The address that was asked for, without its query. */
  address: string;
  onCustomDomain: boolean;
}

/** Answers phones whose app a link can open. */
@Injectable()
export class AppAnswers {
  private readonly logger = new Logger(AppAnswers.name);

  constructor(
    private readonly apps: AppCache,
    private readonly tokens: AppPageTokens,
    private readonly reports: DeepLinkTokensService,
  ) {}

  /** The linked app of the visitor's platform, when there is something to open or to get. Undefined: ask `find`. */
  peek(trackedLink: TrackedLink, visitor: Visitor): KnownApp | null | undefined {
    const id = appIdOf(trackedLink, visitor);
    if (id === null) return null;
    const app = this.apps.peek(id);
    return app && usable(app, trackedLink);
  }

  /** The same. A link leads to its destination while no store knows the app. */
  async find(trackedLink: TrackedLink, visitor: Visitor): Promise<KnownApp | null> {
    const id = appIdOf(trackedLink, visitor);
    try {
      const app = id === null ? null : await this.apps.find(id);
      return app && usable(app, trackedLink);
    } catch (error) {
      this.logger.warn(`An app could not be looked up: ${describeError(error).message}`);
      return null;
    }
  }

  /** @returns the page, and the key under which its click is recorded; null when the destination is not of the web */
  page(visit: AppVisit, redirectRequest: RedirectRequest): { page: Html; tokenKey: string } | null {
    const { token, key } = this.tokens.issue();
    const page = appPage(visit.trackedLink, visit.app, {
      ...visit,
      // A page that is fetched ahead must not tell of a click; HEAD hears how long the page is.
      token: isVisit(redirectRequest) || redirectRequest.head ? token : '',
      webSdkUrl: this.tokens.webSdkUrl(visit.onCustomDomain),
      fallback: `${visit.address}?${STORE_PARAMETER}=${token}`,
    });
    return page && { page, tokenKey: key };
  }

  /**
   * Where a request goes that comes back from Android for the store, and whose page it comes from; null for others. It
   * is no visit of the link: nothing is counted, and no password asked for.
   */
  storeVisit(app: KnownApp, query: string): { store: string; token: string } | null {
    if (!query.includes(STORE_PARAMETER)) return null;
    const token = queryValue(queryParts(query), STORE_PARAMETER);
    const store = webAddress(app.storeUrl);
    if (token === null || store === null || !this.tokens.read(token)) return null;
    return { store: storeAddress(store, token), token };
  }

  /** Behind the answer: nobody waits for a statistic on the way to a store. */
  trackStoreVisit(token: string): void {
    this.reports
      .trackStoreVisit(token)
      .catch((error: unknown) => this.logger.warn(`A store visit was lost: ${describeError(error).message}`));
  }
}

function usable(app: KnownApp, { organizationId }: TrackedLink): KnownApp | null {
  return app.organizationId === organizationId && canBeOpened(app) ? app : null;
}
