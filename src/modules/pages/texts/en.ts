import type { Texts } from './texts';

const MESSAGES = {
  SMS: 'marketing text messages',
  EMAIL: 'marketing emails',
  WHATSAPP: 'marketing messages on WhatsApp',
};

export const en: Texts = {
  messages: {
    root: {
      title: 'Short links',
      text: 'Links at this address lead to other pages. To follow one, open the whole link.',
    },
    notFound: {
      title: 'Link not found',
      text: 'This link doesn’t exist or has been removed. Please check the address.',
    },
    expired: {
      title: 'Link expired',
      text: 'This link was only available for a limited time.',
    },
    usedUp: {
      title: 'Link limit reached',
      text: 'This link has already been opened as many times as it allows.',
    },
    disabled: {
      title: 'Link disabled',
      text: 'This link has been disabled.',
    },
    methodNotAllowed: {
      title: 'Method not allowed',
      text: 'This address only accepts GET requests. Please open the link in a browser.',
    },
    badRequest: {
      title: 'Something went wrong',
      text: 'Please open the link again in a browser and use the button on the page.',
    },
    tooManyRequests: {
      title: 'Too many attempts',
      text: 'There have been too many attempts from your network. Please try again in a minute.',
    },
    unavailable: {
      title: 'Please try again',
      text: 'This page isn’t available right now. Please try again in a few seconds.',
    },
  },
  password: {
    title: 'Password required',
    text: 'Enter the password to open this link.',
    label: 'Password',
    submit: 'Continue',
    wrong: 'Incorrect password. Please try again.',
    tooOften: (minutes) =>
      `Too many incorrect passwords. Please try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
  },
  ad: {
    leadsTo: 'This link leads to',
    countdown: (seconds) => `Continuing in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`,
    now: 'Continue now',
    stay: 'Stay on this page',
    stayed: 'Continue whenever you’re ready.',
  },
  app: {
    unnamed: 'App',
    opensInApp: 'This link opens in the app.',
    choices: 'Ways to continue',
    open: 'Open in app',
    store: 'Get the app',
    browser: 'Continue in browser',
  },
  preview: { next: 'Continue' },
  optOut: {
    unnamed: 'The sender',
    ask: (channel, who) => `Stop ${MESSAGES[channel]} from ${who}?`,
    effect: (channel, who, value) => `${who} will stop sending ${MESSAGES[channel]} to ${value}.`,
    enter: (channel, who) =>
      `Enter your ${channel === 'EMAIL' ? 'email address' : 'phone number'}, and ${who} will stop sending ` +
      `${MESSAGES[channel]} to it.`,
    phone: 'Phone number',
    email: 'Email address',
    notAPhone: 'That isn’t a valid phone number. Please include the area code.',
    notAnEmail: 'That isn’t a valid email address. Please check it.',
    submit: 'Unsubscribe',
    done: 'You’re unsubscribed',
    doneEffect: (channel, who, value) => `${who} will no longer send ${MESSAGES[channel]} to ${value}.`,
    undo: 'Undo',
    undone: 'Unsubscribing was undone',
    undoneEffect: (channel, who, value) => `${who} may send ${MESSAGES[channel]} to ${value} again.`,
    tooLate: 'It’s too late to undo this',
    tooLateText: (who) =>
      `Unsubscribing can be undone here for ten minutes. To get messages again, please contact ${who}.`,
  },
};
