const HOST = /^[a-z][a-z0-9+.-]*:\/\/(?:[^\s/?#@:[\]]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/**
 * An origin as browsers send it in `Origin`: lower case, without the default port, internationalized names as Punycode.
 * @returns null for other text. Schemes of web views, such as `capacitor://localhost`, are origins too
 */
export function originIn(text: string): string | null {
  if (!HOST.test(text)) return null;
  if (!/^https?:/i.test(text)) return text.toLowerCase();
  return URL.parse(text)?.origin ?? null;
}
