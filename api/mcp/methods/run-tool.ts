// Runs a tool: its answer fits a model, and an error is an answer too, which the model can act on.
import { API_ERRORS } from '../../../core/errors.ts';
import type { TrackedRecord } from '../../../db/records/records.ts';
import { toApiError } from '../../contract/errors.ts';
import { fitAnswer } from '../answers/fit-answer.ts';
import { placeholderFor } from '../answers/json-placeholder.ts';
import type { Tool } from '../tools/tool.ts';
import type { McpContext } from './mcp-context.ts';
import { withProgress } from './progress.ts';

export interface ToolCall {
  tool: Tool;
  record: TrackedRecord | null;
  args: Readonly<Record<string, unknown>>;
}

/** What a tool has answered. */
export interface Answered {
  /** JSON, or the words of an error. */
  text: string;
  isError: boolean;
}

export async function runTool(ctx: McpContext, { tool, record, args }: ToolCall): Promise<Answered> {
  const text = await withProgress(ctx, tool.slowly, () =>
    fitAnswer(tool.items, (smaller) => tool.run({ ...ctx, record }, { ...args, ...smaller })),
  );
  return { text, isError: false };
}

/** The protocol's result. */
export function resultOf({ texts }: Pick<McpContext, 'texts'>, { text, isError }: Answered): object {
  const content = [{ type: 'text', text }];
  return isError ? { content, isError } : { content, structuredContent: placeholderFor(texts, text) };
}

const MAX_FAULTS = 20;
const MAX_CHARACTERS = 4_000;

export function failureOf({ log, cancelled }: McpContext, { name }: Tool, error: unknown): Answered {
  const shown = toApiError(error);
  if (API_ERRORS[shown.code].status >= 500 && cancelled?.aborted !== true) {
    log.error({ err: error, tool: name }, 'failed');
  }
  const faults = shown.errors.slice(0, MAX_FAULTS).map(({ pointer, detail }) => `\n- ${pointer} ${detail}`);
  const retry =
    shown.retryAfterSeconds === undefined
      ? ''
      : ` Try again in ${Math.ceil(shown.retryAfterSeconds)} seconds.`;
  const text = `${shown.code}: ${shown.message}${retry}${faults.join('')}`.slice(0, MAX_CHARACTERS);
  return { text: text.toWellFormed(), isError: true };
}
