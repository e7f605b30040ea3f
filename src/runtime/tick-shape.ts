import { createHook } from 'node:async_hooks';

const kept: object[] = [];

/**
 * Keeps alive one of the objects in which `process.nextTick` holds a callback. If none is alive during a
 * garbage collection, V8 drops their hidden class, and the compiled `nextTick` is deoptimized for good, which
 * slows every redirect. Call it first in the process.
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
