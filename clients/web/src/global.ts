import * as waypost from './waypost';

const scope = globalThis as { Waypost?: typeof waypost };

// A page that loads the script twice keeps the first tracker.
scope.Waypost ??= { version: waypost.version, init: waypost.init, getInstance: waypost.getInstance };
