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
