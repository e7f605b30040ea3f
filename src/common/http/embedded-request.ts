import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether another site's page made the browser send a GET without anybody going there: as a picture, a frame, a script
 * or in advance. Such a request must count for nobody, or the page could use up the limits of its visitors.
 */
export function isEmbedded(headers: IncomingHttpHeaders): boolean {
  const [site, mode, dest] = ['sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest'].map((name) =>
    headers[name]?.toString().toLowerCase(),
  );
  if (site === 'same-origin' || site === 'none') return false;
  if (site === undefined && dest === undefined && mode === undefined) {
    // Older browsers, and sites without TLS.
    return headers.accept?.trim().toLowerCase().startsWith('image/') === true;
  }
  const purpose = headers['sec-purpose'] ?? headers.purpose;
  const inAdvance = purpose?.toString().toLowerCase().includes('prefetch') === true;
  const toADocument = (dest ?? 'document') === 'document' && (mode ?? 'navigate') === 'navigate';
  if (site === undefined) return dest === undefined ? false : dest !== 'empty' && !toADocument;
  return !toADocument || inAdvance || (mode === undefined && dest === undefined);
}
