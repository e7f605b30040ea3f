import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../support/servers';

const SCRIPT = resolve(__dirname, '../../docker/backup.sh');
const NEW = /-20\d{6}T\d{6}Z\.dump$/;

describe('docker/backup.sh', () => {
  /** Backs up a database into a folder with these files; the programs of Postgres are stand-ins. @returns the old files left */
  async function left(database: string, files: readonly string[]): Promise<string[]> {
    const folder = temporaryFolder('backup script');
    const programs = join(folder, 'bin');
    const backups = join(folder, 'kept here');
    for (const each of [programs, backups]) mkdirSync(each);
    const dump = '#!/bin/sh\nfor word; do case $word in --file=*) : >"${word#--file=}";; esac; done\n';
    for (const [name, text] of [
      ['pg_dump', dump],
      ['pg_restore', '#!/bin/sh\n'],
    ] as const) {
      writeFileSync(join(programs, name), text);
      chmodSync(join(programs, name), 0o755);
    }
    for (const file of files) writeFileSync(join(backups, file), 'old');
    const env = {
      PATH: `${programs}:${process.env.PATH}`,
      PGDATABASE: database,
      BACKUP_DIR: backups,
      BACKUP_KEEP: '2',
    };
    await promisify(execFile)('sh', [SCRIPT], { env });
    const now = readdirSync(backups).sort();
    const made = now.filter((file) => readFileSync(join(backups, file), 'utf8') === '');
    expect(made).toEqual([expect.stringMatching(NEW)]);
    return now.filter((file) => !made.includes(file));
  }

  it('deletes dumps of its own database only, however like others are called', async () => {
    const days = ['20250101', '20250102', '20250103'];
    const of = (database: string) => days.map((day) => `${database}-${day}T000000Z.dump`);
    const others = ['waypost-eu', 'waypost-20250101T000000Z', 'Waypost', 'my-waypost', 'waypost_2'].flatMap(
      of,
    );
    const running = [
      'waypost-eu-20250103T000000Z.dump.partial',
      'waypost-notes.partial',
      'waypost-keepZ.dump',
    ];
    const foreign = [...others, ...running].sort();
    expect(await left('waypost', [...foreign, ...of('waypost')])).toEqual(
      [...foreign, 'waypost-20250103T000000Z.dump'].sort(),
    );
    expect(await left('waypost-eu', [...of('waypost-eu'), ...of('waypost')])).toEqual(
      ['waypost-eu-20250103T000000Z.dump', ...of('waypost')].sort(),
    );
  });

  it('deletes what an interrupted dump of its database has left', async () => {
    expect(await left('waypost', ['waypost-20250103T000000Z.dump.partial'])).toEqual([]);
  });
});
