import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { LeftOut } from './left-out';
import type { Scrape } from './scrape';
import { isOnPath, temporaryFolder } from './servers';

const RULES = resolve(__dirname, '../../docker/prometheus/rules.yml');

const BEFORE_MINUTES = 10;
const DURING_MINUTES = 20;

/** Two scrapes while a fault lasts, from which its series are continued. */
export interface Fault {
  readonly first: Scrape;
  readonly second: Scrape;
  /** Between them. */
  readonly seconds: number;
}

/**
 * Whether alerts fire, by Prometheus' own evaluation of docker/prometheus/rules.yml: ten minutes of a scrape without
 * fault, and then twenty that continue those of the fault as they changed from one to the other.
 * @throws LeftOut where promtool is missing
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

/** The series that the rules use, as Prometheus would have them of one process. */
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

/** A value and as many that follow, in Prometheus' notation. */
function run(value: number | undefined, slope: number, following: number): string {
  if (value === undefined) return Array.from({ length: following + 1 }, () => '_').join(' ');
  return `${value}${slope < 0 ? '-' : '+'}${Math.abs(slope).toFixed(6)}x${following}`;
}

function ofTarget(series: string): string {
  const [name = '', labels] = series.split(/\{(.*)\}$/);
  return `${name}{${labels ? `${labels},` : ''}job="waypost",instance="one:9464"}`;
}
