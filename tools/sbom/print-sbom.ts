// Prints the bill of materials of what runs in production: npm run sbom --silent > recordwatch.cdx.json
import { readFileSync } from 'node:fs';
import { type Lock, makeSbom } from './make-sbom.ts';

const lock: Lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'));
process.stdout.write(makeSbom(lock));
