import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a page of another site made the browser send a GET without a navigation by the visitor: as an image, frame,
 * script or prefetch. Such a request must not count against the visitor's limits, which the page could exhaust.
 */
export function isEmbedded(headers: IncomingHttpHeaders): boolean {
  const [site, mode, dest] = ['sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest'].map((name) =>
    headers[name]?.toString().toLowerCase(),
  );
  if (site === 'same-origin' || site === 'none') return false;
  if (site === undefined && dest === undefined && mode === undefined) {
    // Older browsers, and sites without TLS, do not send Sec-Fetch headers.
    return headers.accept?.trim().toLowerCase().startsWith('image/') === true;
  }
  const purpose = headers['sec-purpose'] ?? headers.purpose;
  const inAdvance = purpose?.toString().toLowerCase().includes('prefetch') === true;
  const toADocument = (dest ?? 'document') === 'document' && (mode ?? 'navigate') === 'navigate';
  if (site === undefined) return dest === undefined ? false : dest !== 'empty' && !toADocument;
  return !toADocument || inAdvance || (mode === undefined && dest === undefined);
}
