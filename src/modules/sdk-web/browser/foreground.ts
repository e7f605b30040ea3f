/** Calls back each time that the page comes to the foreground; `isReturn` when it had been left before. */
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
  // A page that comes back out of the browser's memory was hidden, and may not say so.
  addEventListener('pagehide', leave);
  addEventListener('pageshow', (event) => {
    if (event.persisted && isAway) show();
  });
}

/** Resolves once the page is one that somebody looks at: browsers prepare pages ahead that nobody ever sees. */
export function shown(): Promise<void> {
  if (!isPrepared()) return Promise.resolve();
  return new Promise((resolve) => {
    document.addEventListener('prerenderingchange', () => resolve(), { once: true });
  });
}

export function isPrepared(): boolean {
  return (document as { prerendering?: boolean }).prerendering === true;
}
