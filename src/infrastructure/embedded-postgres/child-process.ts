import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';

/** The account a process runs as; `undefined` means the account of this process. */
export interface ClusterUser {
  name: string;
  uid: number;
  gid: number;
}

interface SpawnAs {
  user: ClusterUser | undefined;
  file: string;
  args: string[];
  stdio: StdioOptions;
  detached?: boolean;
}

const PASSED_ON = ['PATH', 'SystemRoot', 'TEMP', 'TMP'];

// LC_ALL: messages are matched in English. TZ: keeps initdb from searching for the system's time zone, which is slow.
function environment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => PASSED_ON.includes(name));
  return { ...Object.fromEntries(inherited), LANG: 'C', LC_ALL: 'C', TZ: 'UTC' };
}

/** Spawns a process as the cluster's user, with nothing of this environment except PATH. */
export function spawnAs({ user, file, args, stdio, detached = false }: SpawnAs): ChildProcess {
  return spawn(file, args, {
    // The current directory may not be accessible to that user.
    cwd: '/',
    stdio,
    detached,
    env: environment(),
    windowsHide: true,
    ...(user && { uid: user.uid, gid: user.gid }),
  });
}

/** Runs a short command and resolves with whether it succeeded and all its output. */
export async function run(
  user: ClusterUser | undefined,
  file: string,
  args: string[],
): Promise<{ ok: boolean; output: string }> {
  return new Promise((resolve) => {
    let output = '';
    const child = spawnAs({ user, file, args, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.once('error', (error) => resolve({ ok: false, output: error.message }));
    child.once('close', (code) => resolve({ ok: code === 0, output: output.trim() }));
  });
}
