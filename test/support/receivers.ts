import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { LeftOut } from './left-out';

const ROOT = resolve(__dirname, '../..');
const EXAMPLES = join(ROOT, 'src/modules/webhooks/deliveries/receivers');

/** A request that a receiver must verify. */
export interface Received {
  secret: string;
  id: string;
  timestamp: string;
  signatures: string;
  body: Buffer;
  /** The receiver's clock, in seconds. */
  now: number;
}

/** How to run an example: a program around it that reads one case per line and prints verdicts. */
interface Language {
  /** Commands required on PATH. */
  commands: string[];
  /** Debian package with the commands. */
  debian: string;
  file: string;
  /** Files of the program around the example. */
  around: Record<string, string>;
  run: string[][];
  /** Folder of the example, if it is another one. */
  folder?: string;
}

const NODE = `
import { readFileSync } from 'node:fs';
import { isGenuine } from './verify.mjs';
for (const line of readFileSync(0, 'utf8').split('\\n')) {
  const [secret, id, timestamp, signatures, now, body] = line.split('\\t');
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures };
  console.log(isGenuine(secret, headers, Buffer.from(body, 'base64'), Number(now)));
}`;

const PYTHON = `
import base64, sys
from verify import is_genuine
for line in sys.stdin.read().split("\\n"):
    secret, id, timestamp, signatures, now, body = line.split("\\t")
    headers = {"webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures}
    print(str(is_genuine(secret, headers, base64.b64decode(body), int(now))).lower())
`;

const JAVA = `
import java.util.Base64;
import java.util.Scanner;
public class Main {
  public static void main(String[] arguments) throws Exception {
    Scanner lines = new Scanner(System.in, "UTF-8");
    while (lines.hasNextLine()) {
      String[] f = lines.nextLine().split("\\t", -1);
      byte[] body = Base64.getDecoder().decode(f[5]);
      System.out.println(WaypostWebhook.isGenuine(f[0], f[1], f[2], f[3], body, Long.parseLong(f[4])));
    }
  }
}`;

const GO = `
package main

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"receiver/waypost"
	"strconv"
	"strings"
	"time"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		f := strings.Split(lines.Text(), "\\t")
		header := http.Header{}
		header.Set("webhook-id", f[1])
		header.Set("webhook-timestamp", f[2])
		header.Set("webhook-signature", f[3])
		now, _ := strconv.ParseInt(f[4], 10, 64)
		body, _ := base64.StdEncoding.DecodeString(f[5])
		fmt.Println(waypost.IsGenuine(f[0], header, body, time.Unix(now, 0)))
	}
}`;

const PHP = `<?php
require 'verify.php';
foreach (explode("\\n", stream_get_contents(STDIN)) as $line) {
    [$secret, $id, $timestamp, $signatures, $now, $body] = explode("\\t", $line);
    $headers = ['webhook-id' => $id, 'webhook-timestamp' => $timestamp, 'webhook-signature' => $signatures];
    echo is_genuine($secret, $headers, base64_decode($body), (int) $now) ? "true\\n" : "false\\n";
}`;

export const LANGUAGES: Readonly<Record<string, Language>> = {
  Node: {
    commands: ['node'],
    debian: 'nodejs',
    file: 'verify.mjs',
    around: { 'main.mjs': NODE },
    run: [['node', 'main.mjs']],
  },
  Python: {
    commands: ['python3'],
    debian: 'python3',
    file: 'verify.py',
    around: { 'main.py': PYTHON },
    run: [['python3', 'main.py']],
  },
  Java: {
    commands: ['java', 'javac'],
    debian: 'default-jdk-headless',
    file: 'WaypostWebhook.java',
    around: { 'Main.java': JAVA },
    run: [
      ['javac', 'Main.java', 'WaypostWebhook.java'],
      ['java', '-cp', '.', 'Main'],
    ],
  },
  Go: {
    commands: ['go'],
    debian: 'golang-go',
    file: 'verify.go',
    around: { 'go.mod': 'module receiver\n\ngo 1.19\n', 'main.go': GO },
    folder: 'waypost',
    run: [['go', 'run', '.']],
  },
  PHP: {
    commands: ['php'],
    debian: 'php-cli',
    file: 'verify.php',
    around: { 'main.php': PHP },
    run: [['php', 'main.php']],
  },
};

/** @throws LeftOut if the language is not installed */
export function needLanguage({ commands, debian }: Language): void {
  const missing = commands.filter((command) => spawnSync('which', [command]).status !== 0);
  if (missing.length > 0) throw new LeftOut(`${missing.join(' and ')} (apt-get install ${debian})`);
}

/** Runs the example in the documentation. @returns its verdict on each request */
export function judge(
  { file, around, run, folder = '.' }: Language,
  received: readonly Received[],
): boolean[] {
  const cwd = mkdtempSync(join(ROOT, 'test/.tmp/receiver-'));
  mkdirSync(join(cwd, folder), { recursive: true });
  cpSync(join(EXAMPLES, file), join(cwd, folder, file));
  for (const [name, text] of Object.entries(around)) writeFileSync(join(cwd, name), text);
  const input = received
    .map(({ secret, id, timestamp, signatures, now, body }) =>
      [secret, id, timestamp, signatures, now, body.toString('base64')].join('\t'),
    )
    .join('\n');
  const env = {
    ...process.env,
    GOCACHE: join(cwd, '.cache'),
    GOFLAGS: '-mod=mod',
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const outputs = run.map(([command = '', ...parameters]) =>
    execFileSync(command, parameters, { cwd, input, env, encoding: 'utf8' }),
  );
  return (outputs.at(-1) ?? '')
    .trim()
    .split('\n')
    .map((verdict) => verdict === 'true');
}
