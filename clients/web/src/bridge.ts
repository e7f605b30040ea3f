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
 * Looks up the native bridge: iOS takes an object through a message handler, Android a JSON string through a method of
 * the injected object. Both must be called as methods of their objects.
 * @returns null if the page is not in an app that injects the bridge
 */
export function bridgeOf(name: string, androidMethod: string): Bridge | null {
  const native = window as unknown as NativeLayer;
  const handler = native.webkit?.messageHandlers?.[name];
  if (handler?.postMessage) return { layer: 'IOS', send: (message) => handler.postMessage?.(message) };
  const object = native[name] as Record<string, ((json: string) => void) | undefined> | undefined;
  if (typeof object?.[androidMethod] !== 'function') return null;
  return { layer: 'ANDROID', send: (message) => object[androidMethod]?.(JSON.stringify(message)) };
}

/** Sends a message. Errors of the bridge are logged instead of thrown into the page. */
export function sendTo(bridge: Bridge, message: object): void {
  try {
    bridge.send(message);
  } catch (error) {
    console.error('[Waypost] The native bridge failed', error);
  }
}
