import { createHook } from 'node:async_hooks';

const kept: object[] = [];

/**
 * Keeps one tick object, in which `process.nextTick` holds a callback, so that V8 never forgets their shape. Before Node
 * 26.12: after a collection that finds no tick object, `nextTick` defines each property by a run-time call, for the rest
 * of the process (docs/adr/0041-one-tick-object-is-kept.md). Call it before there is garbage to collect.
 */
export function keepTickShape(): void {
  const hook = createHook({
    init: (_id, type, _trigger, tick: object) => {
      if (type === 'TickObject') kept.push(tick);
    },
  });
  hook.enable();
  process.nextTick(() => undefined);
  hook.disable();
}
