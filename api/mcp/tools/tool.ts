// A tool of the MCP server: one or more operations under a name and words that a model can choose by.
import { type Static, type TObject, type TProperties, Type } from 'typebox';
import type { Context } from '../../contract/context.ts';
import type { ScopedOperation } from '../../contract/operation.ts';

/** What clients are told about the consequences of a call. All four, because the protocol assumes the worst. */
export interface ToolHints {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  /** Whether what comes back was written by strangers: rows are. */
  openWorldHint: boolean;
}

const SAFE = { readOnlyHint: true, destructiveHint: false, idempotentHint: true } as const;

/** Answers hold names, numbers and times of ours. */
export const READS: ToolHints = { ...SAFE, openWorldHint: false };
/** Answers hold what an origin wrote. */
export const READS_ROWS: ToolHints = { ...SAFE, openWorldHint: true };
/** Nothing that was there is lost. */
export const WRITES = { readOnlyHint: false, destructiveHint: false, openWorldHint: false } as const;

interface Words {
  /** snake_case: verb and noun. */
  name: string;
  title: string;
  /** What it gives, when to use it and what to use instead; never instructions to the model. */
  description: string;
}

interface Declaration<P extends TProperties> extends Words {
  hints: ToolHints;
  /** What it is made of: a caller may use it who may use all of these. */
  over: readonly ScopedOperation[];
  /** False: it is about no record in particular, and takes no `source`. */
  isOfSource?: boolean;
  input: P;
  output: TObject;
  /** The member of its answer that `limit` bounds: a page too large is read again with a smaller one. */
  items?: string;
  run: (ctx: Context, given: Static<TObject<P>>) => Promise<unknown>;
}

export interface Tool extends Omit<Declaration<TProperties>, 'input' | 'isOfSource' | 'run'> {
  readonly isOfSource: boolean;
  readonly input: TProperties;
  readonly run: (ctx: Context, given: Readonly<Record<string, unknown>>) => Promise<unknown>;
}

/** Every answer may say what was left out of it, and how to get it; the server's instructions tell so once for all. */
const notice = Type.Optional(Type.String());

export function defineTool<P extends TProperties>(declaration: Declaration<P>): Tool {
  const { isOfSource = true, output } = declaration;
  // Arguments are held against the input's schema before they get to `run`.
  const run = declaration.run as Tool['run'];
  return { ...declaration, isOfSource, run, output: Type.Object({ ...output.properties, notice }) };
}

/** The output of an operation, which tools show as it is. */
export function answerOf({ output }: ScopedOperation): TObject {
  // Every operation that a tool shows answers with an object.
  return output as TObject;
}
