import { ALL, LONG_SECONDS, SOME } from './faults';
import { meetFaults } from './meet-faults';

describe('an installation on many machines', () => {
  meetFaults({}, LONG_SECONDS > 0 ? ALL : SOME);
});
