const { TestEnvironment: NodeEnvironment } = require('jest-environment-node');

/** Tests run in the realm of their worker, not in one of their own: its packages are loaded once (runtime.cjs). */
class SharedRealm extends NodeEnvironment {
  constructor(config, context) {
    super(config, context);
    this.global = globalThis;
  }
}

module.exports = SharedRealm;
