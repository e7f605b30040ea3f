/** A function that native code has put into the page under this name; what it is called with arrives there. */
type Send = (message: object) => void;

interface NativeLayer {
  webkit?: { messageHandlers?: Record<string, { postMessage?(message: object): void } | undefined> };
  [name: string]: unknown;
}

export interface Bridge {
  layer: 'IOS' | 'ANDROID';
  send: Send;
}

/**
 * The bridge of a name, as it is at this moment: iOS takes an object by its message handler, Android a JSON string by
 * a method of the object that it has put there. Both are called on their own object, which they insist on.
 * @returns null where the page is in no app that has it
 */
export function bridgeOf(name: string, androidMethod: string): Bridge | null {
  const native = window as unknown as NativeLayer;
  const handler = native.webkit?.messageHandlers?.[name];
  if (handler?.postMessage) return { layer: 'IOS', send: (message) => handler.postMessage?.(message) };
  const object = native[name] as Record<string, ((json: string) => void) | undefined> | undefined;
  if (typeof object?.[androidMethod] !== 'function') return null;
  return { layer: 'ANDROID', send: (message) => object[androidMethod]?.(JSON.stringify(message)) };
}

/** A bridge that fails is native code's affair, not the page's. */
export function sendTo(bridge: Bridge, message: object): void {
  try {
    bridge.send(message);
  } catch (error) {
    console.error('[Waypost] The native bridge failed', error);
  }
}
