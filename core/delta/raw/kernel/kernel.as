// The inner loops over the bytes of a body, in AssemblyScript: find rows, hash them, and look them up among the rows of the
// previous body. test/core/delta/raw/reference.ts specifies their behaviour in readable TypeScript, and tests compare the
// two. Compiled into kernel-wasm.ts by `npm run kernel`; a test fails if that is out of date.
//
// All state is in one linear memory. row-matcher.ts defines its layout and passes offsets in. Nothing is allocated.

export { hasValue, repeats, sortList } from './column-values';
export { configure, setColumns } from './found-rows';
export { gather } from './gather-rows';
export { giveMemory } from './memory';
export { index, layOutRing, match, takenOf } from './match-rows';
export { setTolerances } from './near-numbers';
export { scan, unfinishedAt } from './split-rows';
export { elementsEnd } from './split-elements';
export { beginSurvey, longestRow, survey, surveyOutcome, takeDoubts } from './survey-rows';
export { beginWriting, takeWritten } from './write-rows';
