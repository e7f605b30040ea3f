/** Listeners of one kind. The first one also gets the last ten values that came before it. */
export class Listeners<T> {
  private readonly listeners = new Set<(value: T) => void>();
  private missed: T[] = [];

  add(listener: (value: T) => void): () => void {
    this.listeners.add(listener);
    const { missed } = this;
    this.missed = [];
    for (const value of missed) this.call(listener, value);
    return () => {
      this.listeners.delete(listener);
    };
  }

  tell(value: T): void {
    if (this.listeners.size === 0) this.missed = [...this.missed, value].slice(-10);
    for (const listener of [...this.listeners]) this.call(listener, value);
  }

  /** An error of the app's own code must not stop the queue. */
  private call(listener: (value: T) => void, value: T): void {
    try {
      listener(value);
    } catch (error) {
      console.error('[Waypost] A listener failed', error);
    }
  }
}
