// The inner loops over the bytes of a body, in AssemblyScript: find rows, hash them, and look each up among the rows of
// the body before. What they must do is said in readable TypeScript in test/core/delta/raw/reference.ts, and tests hold
// them to that. Compiled into kernel-wasm.ts by `npm run kernel`; a test holds the two together.
//
// All state is in one linear memory, laid out by row-matcher.ts, which passes the places in. Nothing is allocated.

export { configure, ignore } from './found-rows';
export { gather } from './gather-rows';
export { index, match } from './match-rows';
export { scan, unfinishedAt } from './split-rows';
export { elementsEnd } from './split-elements';
