// Prompts: starting points that people pick from a menu.
import type { Context } from '../../contract/context.ts';
import type { Params } from './mcp-context.ts';
import { invalidParams } from './rpc-error.ts';

interface Prompt {
  name: string;
  title: string;
  description: string;
  arguments: { name: string; description: string; required: boolean }[];
  write: (values: Readonly<Record<string, string>>) => string;
}

const PROMPTS: readonly Prompt[] = [
  {
    name: 'summarize_changes',
    title: 'What changed, and does it matter?',
    description: 'Summarizes the changes of a source since a time, and points out the important ones.',
    arguments: [
      { name: 'source', description: 'Id or slug of the source.', required: true },
      {
        name: 'since',
        description: 'A time or a date, in ISO 8601; seven days ago by default.',
        required: false,
      },
    ],
    write: ({ source, since = 'seven days ago' }) =>
      `Use summarize_changes for the source ${source} since ${since}. Say in plain words what changed overall, with ` +
      'numbers; name the rows that look most important and why, with their values before and after (get_delta_rows ' +
      'or compare_snapshots have more of them); and say what looks like noise. If nothing changed, say since when, ' +
      'and whether the checks succeeded (get_source).',
  },
  {
    name: 'set_up_monitoring',
    title: 'Watch the data behind a URL',
    description: 'Creates a source for a URL, describes its first snapshot and proposes settings.',
    arguments: [
      { name: 'url', description: 'URL of a CSV, TSV, JSONL or JSON file.', required: true },
      { name: 'goal', description: 'Which changes matter.', required: false },
    ],
    write: ({ url, goal = 'any change of its rows' }) =>
      `Create a source for ${url} with create_source (changes that matter: ${goal}). When its first check is done, ` +
      'use describe_snapshot. Say what the rows are, which columns were detected as the key and whether that is ' +
      'right, and how often to check. Propose settings, and change them with update_source once the user agrees.',
  },
];

export async function listPrompts(_ctx: Context, { cursor }: Params): Promise<object> {
  if (cursor !== undefined && cursor !== '')
    throw invalidParams('There is only one page of prompts: omit cursor.');
  return { prompts: PROMPTS.map(({ write: _write, ...prompt }) => prompt) };
}

export async function getPrompt(_ctx: Context, { name, arguments: given = {} }: Params): Promise<object> {
  const prompt = PROMPTS.find((each) => each.name === name);
  if (prompt === undefined) throw invalidParams('There is no such prompt.');
  // Both libraries have validated it against the protocol's schema: strings by name.
  const values = given as Readonly<Record<string, string>>;
  const missing = prompt.arguments.find((one) => one.required && (values[one.name] ?? '') === '');
  if (missing !== undefined) throw invalidParams(`The argument ${missing.name} is required.`);
  const text = prompt.write(values);
  return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}

export const isPromptArgument = (prompt: unknown, argument: unknown): boolean =>
  PROMPTS.some((each) => each.name === prompt && each.arguments.some(({ name }) => name === argument));
