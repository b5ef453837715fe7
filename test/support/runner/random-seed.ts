// Properties take the same cases in each run of the tests, so that a red test is due to the change. Long runs take new ones.
import fc from 'fast-check';
import { IS_LONG } from './property-runs.ts';

const SEED = 20_261_124;

if (!IS_LONG) fc.configureGlobal({ seed: SEED });
