import { Injectable } from '@nestjs/common';
import type { AppCaller } from '../../access/caller';
import { NotFound } from '../../common/errors/errors';
import type { TargetEntity } from '../../common/target.entity';
import { type Tx, Transactions } from '../../infrastructure/database/transactions';
import { AppDirectory, type KnownApp } from '../apps/app-directory';
import { AppPageTokens } from '../deep-links/app-page-tokens';
import { type TokenClick, TokenClicks } from '../deep-links/token-clicks';
import { TokenMatches } from '../deep-links/token-matches';
import { type Attempt, Attempts } from './attempts';
import { ClickedTargets } from './clicked-targets';
import { deepLinkOf } from './deep-link';
import type { DeepLinkMatchResponse } from './deep-link.dto';

/** Tells an app that a page has opened what was clicked, by the page's token. */
@Injectable()
export class DeepLinkMatches {
  constructor(
    private readonly apps: AppDirectory,
    private readonly tokens: AppPageTokens,
    private readonly clicks: TokenClicks,
    private readonly targets: ClickedTargets,
    private readonly matches: TokenMatches,
    private readonly attempts: Attempts,
    private readonly tx: Transactions,
  ) {}

  /** @throws NotFound for a token that is unknown, past its time, of another app, or of what is over */
  async match(caller: AppCaller, token: string, userAgent: string): Promise<DeepLinkMatchResponse> {
    const app = await this.apps.find(caller.appId);
    if (!app) throw new NotFound('App');
    const found = await this.clicks.find(caller.organizationId, token);
    const click = found?.appIds.includes(app.id) ? found : null;
    const target = click && (await this.targets.find(caller.organizationId, click.target));
    if (!target) {
      const failure = click || this.tokens.isExpired(token) ? 'EXPIRED' : 'NOT_FOUND';
      const attempt = { target: click?.target ?? null, failure, returned: null } as const;
      await this.tx.run((tx) => this.attempts.record(tx, caller, attempt));
      throw new NotFound('Token');
    }
    await this.tx.run((tx) => this.take(tx, caller, app, click, userAgent));
    return toMatch(app, click, target);
  }

  private async take(
    tx: Tx,
    caller: AppCaller,
    { platform }: KnownApp,
    click: TokenClick,
    userAgent: string,
  ): Promise<void> {
    const { returned } = await this.matches.match(tx, caller, click);
    const attempt: Attempt = {
      target: click.target,
      failure: null,
      returned: returned ? { platform, userAgent } : null,
    };
    await this.attempts.record(tx, caller, attempt);
  }
}

function toMatch(
  app: KnownApp,
  { target: { kind, id }, sessionId }: TokenClick,
  target: TargetEntity,
): DeepLinkMatchResponse {
  return {
    ...deepLinkOf(app, target, kind === 'link' ? id : null),
    shorturl: target.code,
    campaignId: kind === 'campaign' ? id : null,
    sessionId,
  };
}
