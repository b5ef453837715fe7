// nginx as the reverse proxy in front of several APIs, on machines that have it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChild } from '../../../cli/process/start-child.ts';
import type { Balancer } from './balancer.ts';
import { freePort } from './free-port.ts';
import { until } from '../until.ts';

/** @param command the program, which writes only to a folder of the test */
export async function startNginx(command: string, upstreams: readonly string[]): Promise<Balancer> {
  const folder = mkdtempSync(join(tmpdir(), 'recordwatch-nginx-'));
  const port = await freePort();
  writeFileSync(join(folder, 'nginx.conf'), configFor(folder, port, upstreams));
  const child = await startChild({
    name: 'nginx',
    command,
    args: ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')],
    env: {},
    logFile: join(folder, 'nginx.log'),
  });
  const url = `http://127.0.0.1:${port}`;
  const isReady = (base: string): Promise<boolean> =>
    fetch(`${base}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until('nginx answers', () => isReady(url));
  return {
    url,
    isHealthy: isReady,
    close: async () => {
      await child.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** The configuration of docs/reliability.md, with its files in a separate folder. */
function configFor(folder: string, port: number, upstreams: readonly string[]): string {
  const servers = upstreams.map((upstream) => `server ${new URL(upstream).host} max_fails=0;`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
    daemon off;
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    pid ${folder}/nginx.pid;
    events {}
    http {
      access_log off;
      ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
      upstream recordwatch {
        ${servers.join(' ')}
        keepalive 16;
      }
      server {
        listen 127.0.0.1:${port};
        location / {
          proxy_pass http://recordwatch;
          proxy_http_version 1.1;
          proxy_set_header Connection "";
          proxy_set_header Host $http_host;
          proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
          proxy_read_timeout 3600s;
        }
      }
    }`;
}
