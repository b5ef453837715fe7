// A tool of the MCP server: one or more operations, with a name and a description that a model can choose by.
import { type Static, type TObject, type TProperties, Type } from 'typebox';
import type { Context } from '../../contract/context.ts';
import type { ScopedOperation } from '../../contract/operation.ts';

/** Tells clients about the consequences of a call. Sets all four hints, because the protocol's defaults assume the worst. */
export interface ToolHints {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  /** Whether the result contains text by strangers, as rows do. */
  openWorldHint: boolean;
}

const SAFE = { readOnlyHint: true, destructiveHint: false, idempotentHint: true } as const;

/** For results with only our own names, numbers and times. */
export const READS: ToolHints = { ...SAFE, openWorldHint: false };
/** For results with text from an origin. */
export const READS_ROWS: ToolHints = { ...SAFE, openWorldHint: true };
/** For tools that overwrite nothing. */
export const WRITES = { readOnlyHint: false, destructiveHint: false, openWorldHint: false } as const;

interface Words {
  /** snake_case: verb and noun. */
  name: string;
  title: string;
  /** What the tool returns, when to use it, and what to use instead. Never instructions to the model. */
  description: string;
}

/** A task that continues outside of this process. */
export interface Follow {
  /**
   * @param waitMs how long the client waits for a quick answer
   * @returns the answer, and if it is not the last word what `look` needs
   */
  begin: (ctx: Context, given: Given, waitMs: number) => Promise<{ answer: unknown; follow?: object }>;
  /** @returns the answer, or undefined while there is none */
  look: (ctx: Context, follow: Given) => Promise<unknown>;
}

type Given = Readonly<Record<string, unknown>>;

interface Declaration<P extends TProperties> extends Words {
  hints: ToolHints;
  /** For a tool that may take seconds: the message of its progress. */
  slowly?: string;
  /** Set if a call in progress may become a task: a read that may run again, or something to follow. */
  asTask?: 'rerun' | Follow;
  /** The operations that it runs. A caller may use the tool if they may use all of these. */
  over: readonly ScopedOperation[];
  /** Default: true. False for tools without the argument `source`. */
  isOfSource?: boolean;
  /** The argument that makes the call one about all sources when it is true and `source` is omitted. */
  allSourcesBy?: string;
  input: P;
  output: TObject;
  /** The member of the result that `limit` bounds. A result that is too large is read again with a smaller limit. */
  items?: string;
  run: (ctx: Context, given: Static<TObject<P>>) => Promise<unknown>;
}

export interface Tool extends Omit<Declaration<TProperties>, 'input' | 'isOfSource' | 'run'> {
  readonly isOfSource: boolean;
  readonly input: TProperties;
  readonly run: (ctx: Context, given: Readonly<Record<string, unknown>>) => Promise<unknown>;
}

/** Any result may have it: says what was left out and how to get it. The server's instructions explain it once. */
const notice = Type.Optional(Type.String());

export function defineTool<P extends TProperties>(declaration: Declaration<P>): Tool {
  const { isOfSource = true, output } = declaration;
  // tools/call validates the arguments against the input's schema before `run`.
  const run = declaration.run as Tool['run'];
  const { statedAs } = output as Stated;
  const options = statedAs === undefined ? {} : { statedAs };
  return { ...declaration, isOfSource, run, output: Type.Object({ ...output.properties, notice }, options) };
}

/** A shape that the list of tools describes in words, because another tool describes it in full. */
interface Stated {
  statedAs?: string;
}

/** @param words name the tool that describes it in full; who sees this tool sees that one */
export const statedAs = <S extends TObject>(schema: S, words: string): S => ({ ...schema, statedAs: words });

/** The output schema of an operation, for tools that return it unchanged. */
export function answerOf({ output }: ScopedOperation): TObject {
  // Every operation that a tool returns has an object as its output.
  return output as TObject;
}
