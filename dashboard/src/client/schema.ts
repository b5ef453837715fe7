// The types of the API, which the client package for TypeScript has too.
export type { components, paths } from '../../../clients/typescript/src/schema.ts';
