#!/usr/bin/env node
process.stdout.write(`waypost ${__VERSION__}\n`);

declare const __VERSION__: string;
