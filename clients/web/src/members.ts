import { type Api, NO_KEY, Refused } from './api';
import { syncPushConsent } from './push-consent';
import type { Store } from './store';
import type { Consents, IdentifyResult, OptIn, Profile } from './types';

const KEY = 'member';
const FIRST_RETRY_MS = 2_000;
const LAST_RETRY_MS = 60_000;
/** Statuses that reject to the page, whoever sent them, because the user has to log in. */
const FOR_THE_PAGE = [401, 403];

interface StoredMember {
  externalUserId: string;
  pushIdentify: string | null;
  pushOptIn: boolean;
  pushAdOptIn: boolean;
}

/**
 * The member on this page. Personal data waits for the network in memory only, so that names and addresses are never
 * stored in the browser, and the page learns whether a consent has been saved.
 */
export class Members {
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly api: Api | null,
    private readonly store: Store,
  ) {}

  get externalUserId(): string | null {
    return (this.store.get(KEY) as StoredMember | null)?.externalUserId ?? null;
  }

  async identify(profile: Profile): Promise<IdentifyResult> {
    const result = await this.save<IdentifyResult>('/identify', profile);
    this.sync({ ...profile, ...result }, profile.pushIdentify);
    return result;
  }

  async optIn(consents: OptIn): Promise<unknown> {
    const result = await this.save<Partial<OptIn>>('/opt-in', consents);
    this.sync({ ...consents, ...result });
    return result;
  }

  async withdraw(externalUserId: string): Promise<unknown> {
    const result = await this.save('/withdraw', { externalUserId });
    this.sync({ externalUserId, pushOptIn: false, pushAdOptIn: false });
    this.forget();
    return result;
  }

  forget(): void {
    this.store.remove(KEY);
  }

  private sync(
    { externalUserId, pushOptIn, pushAdOptIn }: Consents & { externalUserId: string },
    pushIdentify?: string | null,
  ): void {
    const stored = this.store.get(KEY) as StoredMember | null;
    const before = stored?.externalUserId === externalUserId ? stored : null;
    const member: StoredMember = {
      externalUserId,
      pushIdentify: pushIdentify ?? before?.pushIdentify ?? null,
      pushOptIn: pushOptIn ?? before?.pushOptIn ?? false,
      pushAdOptIn: pushAdOptIn ?? before?.pushAdOptIn ?? false,
    };
    this.store.set(KEY, member);
    syncPushConsent({ ...member, identify: member.pushIdentify ?? externalUserId });
  }

  /** Sequential, because an opt-in needs the member that `identify` creates. */
  private save<T>(path: string, body: object): Promise<T> {
    const turn = this.last.then(() => this.untilAnswered<T>(path, body));
    this.last = turn.catch(() => undefined);
    return turn;
  }

  private async untilAnswered<T>(path: string, body: object): Promise<T> {
    if (!this.api) throw new Error(NO_KEY);
    for (let wait = FIRST_RETRY_MS; ; wait = Math.min(2 * wait, LAST_RETRY_MS)) {
      try {
        return await this.api.post<T>(path, body);
      } catch (error) {
        if (error instanceof Refused && (error.isFinal || FOR_THE_PAGE.includes(error.status))) throw error;
        if (this.api.trouble !== null) throw error;
      }
      await online(Math.max(wait, this.api.pauseMs));
    }
  }
}

/** Waits until the browser is online again, at most `ms` milliseconds. */
function online(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const goOn = () => {
      clearTimeout(timer);
      removeEventListener('online', goOn);
      resolve();
    };
    const timer = setTimeout(goOn, ms);
    addEventListener('online', goOn);
  });
}
