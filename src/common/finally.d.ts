/** `finally` waits for a promise that its callback returns, which TypeScript's declaration leaves out. */
interface Promise<T> {
  finally(onfinally: () => PromiseLike<unknown>): Promise<T>;
}
