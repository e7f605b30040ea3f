const { default: Sequencer } = require('@jest/test-sequencer');

/** Fault suites first: they are the longest, and would keep one worker busy at the end while the others are done. */
class FaultsFirst extends Sequencer {
  sort(tests) {
    const isFault = ({ path }) => path.includes('/test/faults/');
    const sorted = super.sort(tests);
    return [...sorted.filter(isFault), ...sorted.filter((test) => !isFault(test))];
  }
}

module.exports = FaultsFirst;
