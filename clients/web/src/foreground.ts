/** Calls back whenever the page comes to the foreground; `isReturn` is true if it had been left before. */
export function onForeground(callback: (isReturn: boolean) => void): void {
  let isAway = false;
  const leave = () => {
    isAway = true;
  };
  const show = () => {
    const isReturn = isAway;
    isAway = false;
    callback(isReturn);
  };
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') leave();
    else show();
  });
  // A page restored from the back/forward cache was hidden, possibly without a visibilitychange event.
  addEventListener('pagehide', leave);
  addEventListener('pageshow', (event) => {
    if (event.persisted && isAway) show();
  });
}

/** Resolves once the page is visible, because browsers also prerender pages that are never shown. */
export function shown(): Promise<void> {
  if (!isPrepared()) return Promise.resolve();
  return new Promise((resolve) => {
    document.addEventListener('prerenderingchange', () => resolve(), { once: true });
  });
}

export function isPrepared(): boolean {
  return (document as { prerendering?: boolean }).prerendering === true;
}
