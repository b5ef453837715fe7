// `python3 -m http.server` over a folder: an origin that is not ours, as people use for a try.
import { spawn } from 'node:child_process';
import { freePort } from './free-port.ts';
import { until } from '../until.ts';

export interface PythonOrigin {
  url: string;
  /** Lines of its log, one for each request. */
  log: string[];
  close: () => Promise<void>;
}

export async function startPythonOrigin(folder: string): Promise<PythonOrigin> {
  const port = await freePort();
  const args = ['-m', 'http.server', String(port), '--bind', '127.0.0.1', '--directory', folder];
  const child = spawn('python3', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const log: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => log.push(...text.trimEnd().split('\n')));
  const url = `http://127.0.0.1:${port}`;
  await until('Python answers', () => fetch(url).then(({ ok }) => ok, () => false)); // prettier-ignore
  log.length = 0;
  return {
    url,
    log,
    close: () =>
      new Promise((resolve) => {
        child.once('close', () => resolve());
        child.kill();
      }),
  };
}
