// completion/complete: slugs and ids of sources, for resources and prompts with such an argument.
import { allows } from '../../../core/principal.ts';
import { visibleRecords } from '../../../db/records/visible-records.ts';
import type { Context } from '../../contract/context.ts';
import type { Params } from './mcp-context.ts';
import { isPromptArgument } from './prompts.ts';
import { invalidParams } from './rpc-error.ts';

/** The protocol's maximum. */
const MAX_VALUES = 100;

interface Asked {
  ref: { type: string; name?: string };
  argument: { name: string; value: string };
}

export async function complete({ db, principal }: Context, params: Params): Promise<object> {
  // Both libraries have validated it against the protocol's schema.
  const { ref, argument } = params as unknown as Asked;
  if (ref.type === 'ref/prompt' && !isPromptArgument(ref.name, argument.name)) {
    throw invalidParams('There is no such prompt, or it has no such argument.');
  }
  if (argument.name !== 'source' || !allows(principal.scope, 'read')) return completion([]);
  const begun = argument.value.toLowerCase().replaceAll(/[%_\\]/g, String.raw`\$&`);
  const column = begun.startsWith(String.raw`src\_`) ? 'records.id' : 'records.slug';
  const records = await visibleRecords(db, principal)
    .where(column, 'like', `${begun}%`)
    .orderBy(column)
    .limit(MAX_VALUES + 1);
  return completion(records.map(({ id, slug }) => (column === 'records.id' ? id : slug)));
}

function completion(values: readonly string[]): object {
  return { completion: { values: values.slice(0, MAX_VALUES), hasMore: values.length > MAX_VALUES } };
}
