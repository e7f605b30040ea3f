const asyncHooks = require('node:async_hooks');
const { createRequire } = require('node:module');
const { join, resolve } = require('node:path');
const { compileFunction } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const SOURCE = join(resolve(__dirname, '../../src'), '/');

/** Modules of the service by their file, and where their lines came from. */
const modules = new Map();
const sourceMaps = new Map();

/**
 * Loads specs and what supports them anew for every suite, as Jest does, and all else once for all suites of a worker,
 * as Node does (docs/adr/0043-suites-of-a-worker-share-the-service.md).
 */
class SharedModules extends Runtime {
  /** Storages that the suite and its Jest created, and what they hold. */
  suite = { storages: [], holders: [] };

  constructor(...options) {
    super(...options);
    const { coreModule, executor, transformCache } = this;
    transformCache.sourceMaps = sourceMaps;
    executor.compile = (source, filename) =>
      compileFunction(source, executor.injectedModuleParameters, { filename });
    const core = coreModule.require.bind(coreModule);
    const suite = this.suite;
    class AsyncLocalStorage extends asyncHooks.AsyncLocalStorage {
      constructor() {
        super();
        suite.storages.push(this);
      }
      run(store, ...work) {
        const holder = { store };
        suite.holders.push(holder);
        return super.run(holder, ...work);
      }
      getStore() {
        return super.getStore()?.store;
      }
    }
    coreModule.require = (name) =>
      name === 'node:async_hooks' ? { ...asyncHooks, AsyncLocalStorage } : core(name);
  }

  requireModuleOrMock(from, name) {
    if (from.includes('/node_modules/') || name === '@jest/globals')
      return super.requireModuleOrMock(from, name);
    if (name === 'node:async_hooks' && !from.startsWith(SOURCE)) return this.coreModule.require(name);
    if (!/^[./]/.test(name)) return createRequire(from)(name);
    const file = this._resolution.resolveCjs(from, name);
    if (!file.startsWith(SOURCE)) return super.requireModuleOrMock(from, name);
    if (!modules.has(file)) modules.set(file, super.requireModuleOrMock(from, name));
    return modules.get(file);
  }

  /**
   * Ends the suite's storages: on Node 20, each slows down every promise of later suites. Connections and timers that
   * outlive the suite keep a reference to what was stored at their creation.
   */
  teardown() {
    super.teardown();
    for (const storage of this.suite.storages) storage.disable();
    for (const holder of this.suite.holders) holder.store = undefined;
  }
}

module.exports = SharedModules;
