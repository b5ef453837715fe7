// Checks the answers of tools against the output schemas that clients get.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { listTools } from '../../../api/mcp/methods/list-tools.ts';
import { plainOutput } from '../../../api/mcp/methods/plain-schema.ts';
import { TOOLS } from '../../../api/mcp/tools/tools.ts';
import type { Context } from '../../../api/contract/context.ts';

export interface ShownTool {
  name: string;
  title: string;
  description: string;
  inputSchema: { properties: Readonly<Record<string, unknown>> };
  outputSchema: object;
  annotations: Readonly<Record<string, unknown>>;
}

const EVERYTHING = { principal: { kind: 'account', scope: 'full', tier: 'max' } };

/** The schemas that a full key of an account gets. */
export async function shownTools(): Promise<ShownTool[]> {
  // The only parts of the context that the method uses.
  const { tools } = (await listTools(EVERYTHING as Context, {})) as { tools: ShownTool[] };
  return tools;
}

/** With the shapes that the list only names. */
const inFull = (schema: unknown): unknown => {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(inFull);
  const members = Object.entries(schema).filter(([name]) => name !== 'statedAs');
  return Object.fromEntries(members.map(([name, member]) => [name, inFull(member)]));
};

/** Describes the faults of a tool's answer. */
export function compileAnswerSchemas(): (tool: string, value: unknown) => string[] {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
  const checks = new Map<string, ValidateFunction>();
  // An object, as every schema of an answer.
  for (const { name, output } of TOOLS) checks.set(name, ajv.compile(plainOutput(inFull(output) as object)));
  return (tool, value) => {
    const check = checks.get(tool);
    if (check === undefined || check(value)) return [];
    return (check.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`);
  };
}
