/** Formats heads of redirects as node:http does; the common part is rebuilt once a second. */
export class RedirectHead {
  readonly keepAlive: string;
  private second = NaN;
  private keptAlive = '';
  private closed = '';

  constructor(keepAliveMs: number) {
    this.keepAlive = `timeout=${Math.floor(keepAliveMs / 1000)}`;
  }

  /** @param last whether the connection is closed after this response */
  of(location: string, last: boolean): string {
    const second = Math.floor(Date.now() / 1000);
    if (second !== this.second) this.write(second);
    return `HTTP/1.1 302 Found\r\nLocation: ${location}${last ? this.closed : this.keptAlive}`;
  }

  private write(second: number): void {
    this.second = second;
    const date = new Date(second * 1000).toUTCString();
    const shared = `\r\nCache-Control: private, no-store\r\nContent-Length: 0\r\nDate: ${date}\r\nConnection: `;
    this.closed = `${shared}close\r\n\r\n`;
    this.keptAlive = `${shared}keep-alive\r\nKeep-Alive: ${this.keepAlive}\r\n\r\n`;
  }
}
