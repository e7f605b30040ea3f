import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { LeftOut } from './left-out';
import type { Scrape } from './scrape';
import { isOnPath, temporaryFolder } from './servers';

const RULES = resolve(__dirname, '../../docker/prometheus/rules.yml');

const BEFORE_MINUTES = 10;
const DURING_MINUTES = 20;

/** Two scrapes during a fault, from which its series are extrapolated. */
export interface Fault {
  readonly first: Scrape;
  readonly second: Scrape;
  /** Seconds between them. */
  readonly seconds: number;
}

/**
 * Checks whether alerts fire, with Prometheus' own evaluation of docker/prometheus/rules.yml: ten minutes of a scrape
 * without the fault, and then twenty minutes extrapolated from the scrapes during it.
 * @throws LeftOut if promtool is missing
 */
export function expectAlerts(before: Scrape, fault: Fault, alerts: readonly string[]): void {
  if (!isOnPath('promtool')) throw new LeftOut('promtool (apt-get install prometheus)');
  const file = join(temporaryFolder('promtool'), 'test.yml');
  const firing = 'group by (alertname) (ALERTS{alertstate="firing"})';
  writeFileSync(
    file,
    JSON.stringify({
      rule_files: [RULES],
      tests: [
        {
          interval: '1m',
          input_series: inputSeries(before, fault),
          promql_expr_test: [
            { expr: firing, eval_time: `${BEFORE_MINUTES}m`, exp_samples: [] },
            {
              expr: firing,
              eval_time: `${BEFORE_MINUTES + DURING_MINUTES}m`,
              exp_samples: alerts.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
            },
          ],
        },
      ],
    }),
  );
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stdout + stderr);
}

/** The series used by the rules, as Prometheus would have them for a single process. */
function inputSeries(before: Scrape, { first, second, seconds }: Fault) {
  const used = new Set(readFileSync(RULES, 'utf8').match(/\b(?:up|waypost_\w+)\b/g));
  const names = [...new Set([...before.keys(), ...first.keys(), ...second.keys()])];
  return names
    .filter((series) => used.has(series.replace(/\{.*/, '')))
    .map((series) => {
      const [start, end] = [first.get(series), second.get(series)];
      const slope = start === undefined || end === undefined ? 0 : ((end - start) / seconds) * 60;
      return {
        series: ofTarget(series),
        values: `${run(before.get(series), 0, BEFORE_MINUTES)} ${run(end, slope, DURING_MINUTES - 1)}`,
      };
    });
}

/** A value and a number of following ones, in Prometheus' notation. */
function run(value: number | undefined, slope: number, following: number): string {
  if (value === undefined) return Array.from({ length: following + 1 }, () => '_').join(' ');
  return `${value}${slope < 0 ? '-' : '+'}${Math.abs(slope).toFixed(6)}x${following}`;
}

function ofTarget(series: string): string {
  const [name = '', labels] = series.split(/\{(.*)\}$/);
  return `${name}{${labels ? `${labels},` : ''}job="waypost",instance="one:9464"}`;
}
