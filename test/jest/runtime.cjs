const { createRequire } = require('node:module');
const { isAbsolute } = require('node:path');
const { compileFunction } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

/**
 * Loads the project's own files anew for every suite, as Jest does, and packages once for all suites of a worker, as
 * Node does: reading those of Nest, TypeORM and Bull again took most of the time of most suites.
 */
class SharedPackages extends Runtime {
  constructor(...options) {
    super(...options);
    const { executor } = this;
    executor.compile = (source, filename) =>
      compileFunction(source, executor.injectedModuleParameters, { filename });
  }

  requireModuleOrMock(from, name) {
    const own = name.startsWith('.') || isAbsolute(name) || name === '@jest/globals';
    return own || from.includes('/node_modules/')
      ? super.requireModuleOrMock(from, name)
      : createRequire(from)(name);
  }
}

module.exports = SharedPackages;
