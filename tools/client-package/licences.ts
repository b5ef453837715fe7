// The licences of the libraries in a bundle, whose texts must go with it.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @param modules paths of the files in the bundle @throws Error a library comes without the text of its licence */
export function licencesOf(modules: readonly string[]): string {
  const folders = modules.flatMap((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(folders)].sort().map(licenceOf).join('\n');
}

function licenceOf(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const [file] = globSync('{LICENSE,LICENCE,license}*', { cwd: folder });
  if (file === undefined) throw new Error(`${name} has no file with its licence`);
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
}
