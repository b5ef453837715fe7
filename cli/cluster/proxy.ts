// The reverse proxy in front of the APIs: Caddy, which leaves out APIs that are not ready.
import { writeFileSync } from 'node:fs';
import { awaitReady, startChild } from '../process/start-child.ts';
import type { Report } from '../process/steps.ts';
import type { Run } from '../start/run.ts';
import { keepRunning } from './keep-running.ts';
import { clusterProgram } from './programs.ts';

/** An answer that a broken connection to an API has lost is not waited for. */
const PROBE_TIMEOUT_MS = 2_000;

/** Comes back when one of the APIs answers through it. */
export async function startProxy(
  run: Run,
  { port, apis }: { port: number; apis: readonly number[] },
  report: Report,
): Promise<void> {
  const program = await clusterProgram('caddy', { report, signal: run.signal });
  report('starting it');
  const config = run.home.file('Caddyfile');
  writeFileSync(config, caddyfile(port, apis));
  const answers = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) }).then(
      ({ ok }) => ok,
      () => false,
    );
  await keepRunning(run, async (onStart) => {
    const child = await startChild({
      name: 'Proxy',
      command: program,
      args: ['run', '--config', config, '--adapter', 'caddyfile'],
      env: { PATH: process.env['PATH'], HOME: run.home.folder },
      logFile: run.home.logFile('proxy'),
    });
    onStart(child);
    await awaitReady(child, answers, {
      what: 'an API answers through the proxy',
      timeoutMs: 60_000,
      signal: run.signal,
    });
    return child;
  });
}

/**
 * Asks each API every second whether it is ready. A request that finds nobody listening goes to another API; one that was
 * sent is not repeated. Answers that stream are passed on at once.
 */
export const caddyfile = (port: number, apis: readonly number[]): string => `{
	admin off
	auto_https off
	default_bind 127.0.0.1
	log {
		level WARN
	}
}

:${port} {
	reverse_proxy ${apis.map((api) => `127.0.0.1:${api}`).join(' ')} {
		lb_policy least_conn
		lb_try_duration 5s
		health_uri /readyz?exclude=database&exclude=temporal
		health_interval 1s
		health_timeout 2s
		flush_interval -1
	}
}
`;
