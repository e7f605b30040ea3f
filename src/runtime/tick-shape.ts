import { createHook } from 'node:async_hooks';

const kept: object[] = [];

/**
 * Keeps a tick object, which holds a callback of `process.nextTick`, so that V8 never discards the shape of tick
 * objects. Before Node 26.12, `nextTick` gets slow for the rest of the process after a garbage collection that finds no
 * tick object (docs/adr/0041-one-tick-object-is-kept.md). Call it early, before any collection.
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
