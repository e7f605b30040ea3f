import type { ServerResponse } from 'node:http';

/**
 * Preview crawlers that obey robots.txt, such as those of X and LinkedIn; they are allowed, but search engines are not.
 */
const PREVIEWERS =
  'facebookexternalhit Facebot meta-externalfetcher Twitterbot LinkedInBot Slackbot Slackbot-LinkExpanding Discordbot TelegramBot WhatsApp Pinterestbot Pinterest redditbot SkypeUriPreview kakaotalk-scrap Linespider Viber Embedly Iframely vkShare Applebot';
const ROBOTS = `${PREVIEWERS.split(' ')
  .map((name) => `User-agent: ${name}\n`)
  .join('')}Allow: /\n\nUser-agent: *\nDisallow: /\n`;
const FAVICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="#0b6"/><path d="M5 8h6M8.5 5.5 11 8l-2.5 2.5" fill="none" stroke="#fff" stroke-width="1.5"/></svg>';

/** Small files that browsers and crawlers request on every host. */
export const FILES: ReadonlyMap<string, { type: string; body: string }> = new Map([
  ['/robots.txt', { type: 'text/plain; charset=utf-8', body: ROBOTS }],
  ['/favicon.ico', { type: 'image/svg+xml', body: FAVICON }],
]);

export function sendFile(
  response: ServerResponse,
  head: boolean,
  file: { type: string; body: string },
): void {
  response.writeHead(200, {
    'Content-Type': file.type,
    'Content-Length': Buffer.byteLength(file.body),
    'Cache-Control': 'public, max-age=86400',
  });
  response.end(head ? undefined : file.body);
}

/** Responds to the service's own probe of a custom domain, which proves that the domain leads here. */
export function sendToken(response: ServerResponse, token: string): void {
  response.writeHead(200, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(token),
    'Cache-Control': 'no-store',
  });
  response.end(response.req.method === 'HEAD' ? undefined : token);
}
