/** It waits for what its callback returns, which the declaration of TypeScript leaves out. */
interface Promise<T> {
  finally(onfinally: () => PromiseLike<unknown>): Promise<T>;
}
