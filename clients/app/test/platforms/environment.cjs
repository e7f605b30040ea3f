const { TestEnvironment } = require('jest-environment-jsdom');

/** A web view: jsdom with what it lacks. */
module.exports = class WebView extends TestEnvironment {
  constructor(...settings) {
    super(...settings);
    Object.assign(this.global, { AbortController, fetch });
  }
};
