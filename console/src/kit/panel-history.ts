import { createBrowserHistory, type RouterHistory, useNavigate, useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useEffectEvent, useId, useRef } from 'react';
import { hasTyped, mayLeave } from './typed';
import { useView } from './view';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The panel that the entry opened. */
    panel?: string;
  }
}

let open = 0;

/** A history that asks before unsaved input is lost. A page opened from a panel replaces the panel's entry. */
export function createPanelHistory(): RouterHistory {
  const history = createBrowserHistory();
  const { push } = history;
  history.push = (...to) => (open > 0 ? history.replace(...to) : push(...to));
  history.block({ blockerFn: async () => !(await mayLeave()), enableBeforeUnload: hasTyped });
  return history;
}

/** Gives an open panel a history entry. @param addressed whether `usePanels` has done so */
export function usePanelEntry(opened: boolean, addressed: boolean, onClose: () => void): void {
  const { history } = useRouter();
  const navigate = useNavigate();
  const own = useId();
  const live = useRef(false);
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!opened) return;
    live.current = true;
    if (!addressed && history.location.state.panel !== own) {
      void navigate({
        to: '.',
        search: (before) => before,
        state: (before) => ({ ...before, panel: own }),
        resetScroll: false,
        ignoreBlocker: true,
      });
    }
    open++;
    const stop = history.subscribe(({ location, action }) => {
      const moved = action.type !== 'PUSH' && action.type !== 'REPLACE';
      if (!addressed && moved && location.state.panel !== own) close();
    });
    return () => {
      stop();
      open--;
      live.current = false;
      // React's strict mode mounts it a second time.
      setTimeout(() => {
        if (!live.current && history.location.state.panel === own) history.back({ ignoreBlocker: true });
      });
    };
  }, [opened, addressed, history, navigate, own]);
}

/** Panels in the URL of a page; an empty value means closed. @param defaults a constant outside of the component */
export function usePanels<Key extends string>(
  defaults: Record<Key, ''>,
): [Record<Key, string>, (changes: Partial<Record<Key, string>>) => void] {
  const { history } = useRouter();
  const [panels, change] = useView<Key>(defaults);
  const show = useCallback(
    (changes: Partial<Record<Key, string>>) => {
      const opens = Object.values(changes).some((value) => value !== '');
      if (!opens && history.location.state.panel !== undefined) history.back();
      else change(changes, { replace: !opens, ...(opens && { panel: 'address' }) });
    },
    [history, change],
  );
  return [panels, show];
}
