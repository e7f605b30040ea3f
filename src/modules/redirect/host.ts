/**
 * The host name that a Host header means: case, port and a trailing dot do not count
 * (docs/concepts/redirects.md#hosts).
 * @returns an empty string when there is none
 */
export function hostName(header: string | undefined): string {
  if (!header) return '';
  const end = header.startsWith('[') ? header.indexOf(']') + 1 : header.indexOf(':');
  const name = (end > 0 ? header.slice(0, end) : header).toLowerCase();
  return name.endsWith('.') ? name.slice(0, -1) : name;
}

/** The host name of an origin of the settings, in the same form. */
export function hostOfOrigin(origin: string): string {
  return hostName(new URL(origin).host);
}

const MAX_KNOWN = 10_000;
/** A name of 253 characters, a trailing dot, and a port. */
const MAX_HEADER = 260;

/** Host names of headers: a server hears the same few headers all day. */
export class HostNames {
  private readonly names = new Map<string, string>();

  /** @returns an empty string also for what is longer than any name */
  of(header: string | undefined): string {
    if (header === undefined) return '';
    const known = this.names.get(header);
    if (known !== undefined) return known;
    if (header.length > MAX_HEADER) return '';
    if (this.names.size === MAX_KNOWN) this.names.clear();
    const name = hostName(header);
    this.names.set(header, name);
    return name;
  }
}
