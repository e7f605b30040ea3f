import type { Channel } from '../../../common/contact-values/channel-value';

export interface MessageTexts {
  readonly title: string;
  readonly text: string;
}

/** All texts of pages in one language (docs/concepts/pages.md#adding-a-language). */
export interface Texts {
  /** Pages with a single message. */
  readonly messages: {
    readonly root: MessageTexts;
    readonly notFound: MessageTexts;
    readonly expired: MessageTexts;
    readonly usedUp: MessageTexts;
    readonly disabled: MessageTexts;
    readonly methodNotAllowed: MessageTexts;
    readonly badRequest: MessageTexts;
    readonly tooManyRequests: MessageTexts;
    readonly unavailable: MessageTexts;
  };
  readonly password: {
    readonly title: string;
    readonly text: string;
    readonly label: string;
    readonly submit: string;
    readonly wrong: string;
    readonly tooOften: (minutes: number) => string;
  };
  readonly ad: {
    readonly leadsTo: string;
    readonly countdown: (seconds: number) => string;
    readonly now: string;
    readonly stay: string;
    readonly stayed: string;
  };
  readonly app: {
    /** Placeholder for an app without a name. */
    readonly unnamed: string;
    readonly opensInApp: string;
    /** Label of the button group for screen readers. */
    readonly choices: string;
    readonly open: string;
    readonly store: string;
    readonly browser: string;
  };
  readonly preview: { readonly next: string };
  /** `who` is the sender, `value` a masked phone number or e-mail address. */
  readonly optOut: {
    /** Placeholder for a sender without a name. */
    readonly unnamed: string;
    readonly ask: (channel: Channel, who: string) => string;
    readonly effect: (channel: Channel, who: string, value: string) => string;
    /** Asks for the value if the link has none. */
    readonly enter: (channel: Channel, who: string) => string;
    readonly phone: string;
    readonly email: string;
    readonly notAPhone: string;
    readonly notAnEmail: string;
    readonly submit: string;
    readonly done: string;
    readonly doneEffect: (channel: Channel, who: string, value: string) => string;
    readonly undo: string;
    readonly undone: string;
    readonly undoneEffect: (channel: Channel, who: string, value: string) => string;
    readonly tooLate: string;
    readonly tooLateText: (who: string) => string;
  };
}

export type MessageName = keyof Texts['messages'];
