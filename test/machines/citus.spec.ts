import { ALL_ON_CITUS, LONG_SECONDS, SOME_ON_CITUS } from './faults';
import { meetFaults } from './meet-faults';

describe('an installation on many machines, with Citus', () => {
  meetFaults({ replicas: 0, nodes: 2 }, LONG_SECONDS > 0 ? ALL_ON_CITUS : SOME_ON_CITUS);
});
