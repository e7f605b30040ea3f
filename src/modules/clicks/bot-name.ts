import { UNKNOWN } from './visitor-facts';

const MAX_NAME = 50;

/** `(compatible; Googlebot/2.1; +http://www.google.com/bot.html)` */
const COMPATIBLE = /\bcompatible; ?([A-Za-z][\w.-]*)/;
/** `HeadlessChrome/120.0`, `Slackbot-LinkExpanding 1.0` */
const TELLING = /[\w.-]*(?:bot|crawl|spider|scrap|headless|preview)[\w.-]*/i;
/** `python-requests/2.31`, `Java/1.8` */
const FIRST = /^[A-Za-z][\w.-]*/;
/** Products that name a browser's family rather than the program. */
const FAMILY = /^(?:Mozilla|MSIE|Opera)$/;

/** Name of the program that sent this user agent, without its version; `Unknown` if it names none. */
export function botName(userAgent: string): string {
  const names = [COMPATIBLE.exec(userAgent)?.[1], TELLING.exec(userAgent)?.[0], FIRST.exec(userAgent)?.[0]];
  const name = names.find((each) => each !== undefined && !FAMILY.test(each));
  return name === undefined ? UNKNOWN : name.slice(0, MAX_NAME);
}
