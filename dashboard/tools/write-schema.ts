// The product's OpenAPI document on standard input, its TypeScript types on standard output: clients/typescript/src/schema.ts.
import { text } from 'node:stream/consumers';
import openapiTS, { astToString } from 'openapi-typescript';

const NOTE =
  '// Made from the OpenAPI document: npx vitest run test/clients/typescript/src/schema.test.ts --update\n';

process.stdout.write(NOTE + astToString(await openapiTS(await text(process.stdin))));
