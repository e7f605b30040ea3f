'use strict';

/*
 * Makes the dates of a process go FAST_CLOCK_PACE times as fast, from FAST_CLOCK_ORIGIN on (milliseconds). Timers and
 * monotonic time stay: time limits of the service are as long as ever. Loaded by `node --require`, in worker threads too.
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
