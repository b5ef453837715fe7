// Tests whether the tools answer users' questions in few calls. A script asks questions about the demonstration's history and about
// published tables, in place of a model.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { beforeAll, expect, it } from 'vitest';
import { useApi } from '../../../support/api/api.ts';
import { compileAnswerSchemas } from '../answer-schemas.ts';
import { type DemoHistory, makeDemoHistory } from '../demo-history.ts';
import { PUBLISHED_QUESTIONS } from '../published-questions.ts';
import { makePublishedTables, type PublishedTables } from '../published-tables.ts';
import { type Call, type Question, QUESTIONS } from '../questions.ts';

const api = useApi();
let history: DemoHistory;
let tables: PublishedTables;
let client: Client;
const faultsOf = compileAnswerSchemas();

/** An answer may take so many calls. */
const MAX_CALLS = 4;
/** 25,000 tokens of JSON, of which three characters or more make a token. */
const MAX_CHARACTERS = 75_000;

beforeAll(async () => {
  const base = await api.app.listen({ host: '127.0.0.1', port: 0 });
  history = await makeDemoHistory(api.db, api.accountId);
  tables = await makePublishedTables(api.db, api.accountId);
  client = new Client({ name: 'script', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/v1/mcp', base), {
      requestInit: { headers: { authorization: `Bearer ${api.fullKey}` } },
    }),
  );
  return () => client.close();
});

it('has forty questions', () => {
  expect(QUESTIONS.length + PUBLISHED_QUESTIONS.length).toBeGreaterThanOrEqual(40);
});

it.each(QUESTIONS)('$words', (question) => expectAnswer(question, history));

it.each(PUBLISHED_QUESTIONS)('$words', (question) => expectAnswer(question, tables));

async function expectAnswer<T>({ ask, calls, truth }: Question<T>, of: T): Promise<void> {
  let [made, characters] = [0, 0];
  const call: Call = async (name, args = {}) => {
    made += 1;
    const result = await client.callTool({ name, arguments: { ...args } });
    const { structuredContent, content, isError = false } = result;
    expect([name, isError && content]).toEqual([name, false]);
    expect([name, faultsOf(name, structuredContent)]).toEqual([name, []]);
    // Clients give the model one of the two, or both.
    characters += JSON.stringify([content, structuredContent]).length;
    return structuredContent;
  };
  expect(await ask(call, of)).toEqual(truth(of));
  expect(made).toBe(calls);
  expect(made).toBeLessThanOrEqual(MAX_CALLS);
  expect(characters).toBeLessThanOrEqual(MAX_CHARACTERS);
}
