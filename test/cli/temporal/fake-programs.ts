// Substitutes for `temporal`, `go` and the vendor's download, on a PATH that holds nothing else.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { onTestFinished, vi } from 'vitest';
import { programsOnPath } from '../../../cli/programs/on-path.ts';
import { close, listen } from '../../../demo/http-server.ts';
import { temporaryFolder } from '../process/temporary-folder.ts';

export interface FakeMachine {
  folder: string;
  /** Options for findTemporalServer. */
  options: { cache: string; moduleFolder: string; downloadOrigin: string };
  /** Puts a `temporal` of a version on PATH, in a new folder after the others. */
  addTemporal: (version: string) => string;
  /** Puts a `go` on PATH. If it is told to wait, it builds only when the folder contains the file `go-on`. */
  addGo: (behaviour: 'builds' | 'waits' | 'fails') => void;
  /** How often `go build` was started. */
  builds: () => number;
  letGoOn: () => void;
  /** Puts the real `tar` on PATH and serves an archive with this version; the options then name that server. */
  serveDownload: (version: string) => Promise<void>;
}

const NOBODY = 'http://127.0.0.1:1';

/** A machine with neither Go nor `temporal`, an empty cache and no way to the vendor. */
export function fakeMachine(): FakeMachine {
  const folder = temporaryFolder();
  const [tar = 'tar'] = programsOnPath('tar');
  const options = { cache: join(folder, 'cache'), moduleFolder: folder, downloadOrigin: NOBODY };
  writeFileSync(join(folder, 'go.sum'), 'sums');
  vi.stubEnv('PATH', join(folder, 'bin'));
  onTestFinished(() => void vi.unstubAllEnvs());
  const program = (path: string, code: string) => writeProgram(join(folder, path), code);
  const log = join(folder, 'builds.log');
  return {
    folder,
    options,
    addTemporal: (version) => {
      const binFolder = `bin-${version}`;
      vi.stubEnv('PATH', `${process.env['PATH']}:${join(folder, binFolder)}`);
      return program(`${binFolder}/temporal`, temporal(version));
    },
    addGo: (behaviour) => void program('bin/go', go(folder, log, behaviour)),
    builds: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').length : 0),
    letGoOn: () => writeFileSync(join(folder, 'go-on'), ''),
    serveDownload: async (version) => {
      program('archive/temporal', temporal(version));
      const archive = gzipSync(execFileSync(tar, ['-cf', '-', 'temporal'], { cwd: join(folder, 'archive') }));
      mkdirSync(join(folder, 'bin'), { recursive: true });
      symlinkSync(tar, join(folder, 'bin', 'tar'));
      const server = createServer((_, response) => void response.end(archive));
      options.downloadOrigin = `http://127.0.0.1:${await listen(server, 0)}`;
      onTestFinished(() => close(server));
    },
  };
}

function writeProgram(path: string, code: string): string {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, `#!${process.execPath}\n${code}\n`);
  chmodSync(path, 0o755);
  return path;
}

const temporal = (version: string) =>
  `console.log('temporal version ${version} (Server 1.31.2, UI 2.50.1)');`;

function go(folder: string, log: string, behaviour: 'builds' | 'waits' | 'fails'): string {
  const program = `#!${process.execPath}\n${temporal('1.8.2')}`;
  return `
    const fs = require('fs');
    const [command] = process.argv.slice(2);
    if (${behaviour === 'fails'}) { console.error('go: no such module'); process.exit(1); }
    if (command === 'list') { console.error('go: downloading example v1'); console.log('a\\nb\\nc'); process.exit(0); }
    fs.appendFileSync(${JSON.stringify(log)}, process.argv.join(' ') + '\\n');
    console.error('a'); console.error('b');
    const finish = () => {
      const out = process.argv[process.argv.indexOf('-o') + 1];
      fs.writeFileSync(out, ${JSON.stringify(program)}, { mode: 0o755 });
      process.exit(0);
    };
    const isFree = () => ${behaviour !== 'waits'} || fs.existsSync(${JSON.stringify(join(folder, 'go-on'))});
    setInterval(() => isFree() && finish(), 20);
  `;
}
