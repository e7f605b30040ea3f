import type { Device, Platform } from './types';

const OS_NAME = { IOS: 'iOS', ANDROID: 'Android', WEB: null };

export type Fields = Record<string, string>;

/** The device in the words of the API. */
export class DeviceFacts {
  private device: Device = {};

  constructor(
    private readonly platform: Platform,
    private readonly appVersion: string | undefined,
    private readonly sdkVersion: string,
  ) {}

  async load(): Promise<void> {
    try {
      this.device = (await this.platform.device?.()) ?? {};
    } catch (error) {
      console.warn('[Waypost] The device is unknown', error);
    }
  }

  /** `deviceInfo` of sessions and clicks. */
  get info(): Fields {
    const { os } = this.platform;
    const { osVersion, model, isTablet, language, appVersion } = this.device;
    const deviceType = typeof isTablet === 'boolean' ? (isTablet ? 'Tablet' : 'Mobile') : undefined;
    return present({
      platform: os,
      os: OS_NAME[os],
      osVersion,
      deviceType,
      deviceModel: model,
      language,
      screenResolution: this.resolution,
      userAgent: this.userAgent,
      appVersion: this.appVersion ?? appVersion,
      sdkVersion: this.sdkVersion,
    });
  }

  /** What a page may have seen of the same device. */
  get fingerprint(): Fields {
    const { osVersion, model, language } = this.device;
    return present({
      userAgent: this.userAgent,
      resolution: this.resolution,
      osVersion,
      language,
      // Pages do not know the model of an iPhone, and what only one side knows counts against a match.
      deviceModel: this.platform.os === 'ANDROID' ? model : undefined,
    });
  }

  /** HTTP clients of apps send a name of their own, which says nothing of the device. */
  get userAgent(): string {
    const { userAgent, osVersion, model, isTablet } = this.device;
    if (userAgent) return userAgent;
    const version = osVersion ?? '';
    if (this.platform.os === 'ANDROID')
      return `Dalvik/2.1.0 (Linux; U; Android ${version}; ${model ?? 'Android'})`;
    if (this.platform.os === 'WEB') return 'Waypost';
    const [major = '', minor = '0'] = version.split('.');
    const system = isTablet ? 'iPad; CPU' : 'iPhone; CPU iPhone';
    return `Mozilla/5.0 (${system} OS ${major}_${minor} like Mac OS X)`;
  }

  get timeZone(): string | undefined {
    if (this.device.timeZone) return this.device.timeZone;
    try {
      return Intl.DateTimeFormat().resolvedOptions().timeZone;
    } catch {
      return undefined;
    }
  }

  private get resolution(): string | undefined {
    const { screen } = this.device;
    return screen ? `${String(Math.round(screen.width))}x${String(Math.round(screen.height))}` : undefined;
  }
}

function present(fields: Record<string, string | null | undefined>): Fields {
  return Object.fromEntries(Object.entries(fields).filter((field): field is [string, string] => !!field[1]));
}
