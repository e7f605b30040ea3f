import { type Api, WaypostError } from './api';
import { Patience } from './patience';
import type { Store } from './store';
import type { Consents, IdentifyResult, Profile } from './types';

const KEY = 'member';

/** Who is signed in. Of a member, only this is stored on the device. */
export interface Member {
  externalUserId: string;
  identitySignature?: string | undefined;
}

/**
 * Calls about the member. Personal data waits for the network in memory only, so that names and addresses are never
 * stored on the device, and the app learns whether a consent has been saved.
 */
export class Members {
  private last: Promise<unknown> = Promise.resolve();
  private readonly patience = new Patience();

  constructor(
    private readonly api: Api,
    private readonly store: Store,
  ) {}

  get current(): Member | null {
    return this.store.get(KEY) as Member | null;
  }

  async identify(profile: Profile, signature: string | undefined): Promise<IdentifyResult> {
    const { externalUserId } = profile;
    const identitySignature = signature ?? this.signatureOf(externalUserId);
    const result = await this.save<IdentifyResult>('identify', profile, identitySignature);
    await this.store.set(KEY, { externalUserId, identitySignature } satisfies Member);
    return result;
  }

  optIn(consents: Consents & { externalUserId: string }, signature: string | undefined): Promise<unknown> {
    return this.save('opt-in', consents, signature ?? this.signatureOf(consents.externalUserId));
  }

  forget(): Promise<void> {
    return this.store.remove(KEY);
  }

  wake(): void {
    this.patience.wake();
  }

  private signatureOf(externalUserId: string): string | undefined {
    const { current } = this;
    return current?.externalUserId === externalUserId ? current.identitySignature : undefined;
  }

  /** One after the other, because an opt-in needs the member that `identify` creates. */
  private save<T>(path: string, body: object, identitySignature: string | undefined): Promise<T> {
    const turn = this.last.then(() => this.untilAnswered<T>(path, body, identitySignature));
    this.last = turn.catch(() => undefined);
    return turn;
  }

  private async untilAnswered<T>(path: string, body: object, signature: string | undefined): Promise<T> {
    for (;;) {
      try {
        const headers = { 'X-Identity-Signature': signature };
        const answer = await this.api.post<T>(`/cross-platform/${path}`, { ...body }, headers);
        this.patience.succeeded();
        return answer;
      } catch (error) {
        const isRefused = error instanceof WaypostError && (error.isFinal || error.status === 401);
        if (isRefused) throw error;
        await this.patience.wait(error instanceof WaypostError ? error.retryAfterMs : null);
      }
    }
  }
}
