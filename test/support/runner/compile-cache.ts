// Writes compiled code to NODE_COMPILE_CACHE after each test file. Vitest ends its processes before Node would do so.
import { flushCompileCache } from 'node:module';
import { afterAll } from 'vitest';

afterAll(() => flushCompileCache());
