// tools/list: the tools that a caller may use, with schemas for the caller's kind of credential.
import { type TObject, Type } from 'typebox';
import { ApiError } from '../../../core/errors.ts';
import type { Principal } from '../../../core/principal.ts';
import { requireAccess } from '../../access/admission.ts';
import type { Context } from '../../contract/context.ts';
import type { Params } from './mcp-context.ts';
import { plainInput, plainOutput } from './plain-schema.ts';
import { invalidParams } from './rpc-error.ts';
import type { Tool } from '../tools/tool.ts';
import { sourceField } from '../tools/tool-fields.ts';
import { TOOLS } from '../tools/tools.ts';

/** A record's credential implies the source, so tools need not be told. */
type CredentialKind = 'account' | 'record';

export const kindOfCredential = ({ kind }: Pick<Principal, 'kind'>): CredentialKind =>
  kind === 'account' ? 'account' : 'record';

export async function listTools({ principal }: Context, { cursor }: Params): Promise<object> {
  if (cursor !== undefined && cursor !== '')
    throw invalidParams('There is only one page of tools: omit cursor.');
  const kind = kindOfCredential(principal);
  return { tools: TOOLS.filter((tool) => mayUse(principal, tool)).map((tool) => shown(tool, kind)) };
}

/** @throws ApiError insufficient_scope */
export function requireTool(principal: Principal, { over }: Tool): void {
  for (const operation of over) requireAccess(principal, operation);
}

export function mayUse(principal: Principal, tool: Tool): boolean {
  try {
    requireTool(principal, tool);
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

export function inputOf({ input, isOfSource, allSourcesBy }: Tool, kind: CredentialKind): TObject {
  const isRequired = kind === 'account' && allSourcesBy === undefined;
  const source = isRequired ? sourceField : Type.Optional(sourceField);
  return Type.Object({ ...(isOfSource ? { source } : {}), ...input }, { additionalProperties: false });
}

/** Computed once from TOOLS, which never change, so applications in one process can share it. */
const descriptions = new Map<string, object>();

function shown(tool: Tool, kind: CredentialKind): object {
  const known = descriptions.get(`${kind} ${tool.name}`);
  if (known !== undefined) return known;
  const { name, title, description, hints, output } = tool;
  const made = {
    name,
    title,
    description,
    inputSchema: plainInput(inputOf(tool, kind)),
    outputSchema: plainOutput(output),
    annotations: { title, ...hints },
  };
  descriptions.set(`${kind} ${name}`, made);
  return made;
}
