/** What was looked up for one request, so that its thousandth link need not ask what its first has asked. */
export class RequestCache {
  private readonly known = new Map<string, Promise<unknown>>();

  /** @param key names the question; one key is one type of answer */
  once<T>(key: string, look: () => Promise<T>): Promise<T> {
    const known = this.known.get(key) as Promise<T> | undefined;
    if (known) return known;
    const answer = look();
    this.known.set(key, answer);
    return answer;
  }
}
