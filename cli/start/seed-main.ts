// The script behind seedDemo: request as JSON on standard input, settings in the environment, result on standard output.
import { text } from 'node:stream/consumers';
import { parseConfig } from '../../core/config.ts';
import { seedDemo, type SeedRequest } from './seed-demo.ts';

// Written by start.ts.
const request: SeedRequest = JSON.parse(await text(process.stdin));
const { databaseUrl, keyEncryptionKeys } = parseConfig(process.env);
console.log(JSON.stringify(await seedDemo({ ...request, databaseUrl, keyEncryptionKeys })));
