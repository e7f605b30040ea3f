'use strict';

/*
 * Accelerated dates: FAST_CLOCK_PACE times as fast from FAST_CLOCK_ORIGIN (milliseconds) on. Timers and monotonic time
 * are unchanged, so time limits of the service keep their length. Loaded by `node --require`, in worker threads too.
 */
const pace = Number(process.env.FAST_CLOCK_PACE);
const origin = Number(process.env.FAST_CLOCK_ORIGIN);
const RealDate = Date;
const realNow = Date.now;
const now = () => Math.floor(origin + (realNow() - origin) * pace);

RealDate.now = now;
globalThis.Date = new Proxy(RealDate, {
  apply: () => new RealDate(now()).toString(),
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length > 0 ? given : [now()], newTarget === Date ? target : newTarget),
});
RealDate.prototype.constructor = globalThis.Date;
