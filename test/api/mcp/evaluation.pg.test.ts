// Tests whether the tools answer users' questions in few calls. A script asks questions about the demonstration's history, in
// place of a model.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { beforeAll, expect, it } from 'vitest';
import { useApi } from '../../support/api/api.ts';
import { compileAnswerSchemas } from './answer-schemas.ts';
import { type DemoHistory, makeDemoHistory } from './demo-history.ts';
import { type Call, QUESTIONS } from './questions.ts';

const api = useApi();
let history: DemoHistory;
let client: Client;
let faultsOf: Awaited<ReturnType<typeof compileAnswerSchemas>>;
const LIMIT_CHARACTERS = 40_000;

beforeAll(async () => {
  const base = await api.app.listen({ host: '127.0.0.1', port: 0 });
  history = await makeDemoHistory(api.db, api.accountId);
  faultsOf = await compileAnswerSchemas();
  client = new Client({ name: 'script', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/v1/mcp', base), {
      requestInit: { headers: { authorization: `Bearer ${api.fullKey}` } },
    }),
  );
  return () => client.close();
});

it('has enough questions', () => {
  expect(QUESTIONS.length).toBeGreaterThanOrEqual(20);
});

it.each(QUESTIONS)('$words', async ({ ask, calls, truth }) => {
  let made = 0;
  const call: Call = async (name, args = {}) => {
    made += 1;
    const {
      structuredContent,
      content,
      isError = false,
    } = await client.callTool({ name, arguments: { ...args } });
    expect([name, isError && content]).toEqual([name, false]);
    expect([name, faultsOf(name, structuredContent)]).toEqual([name, []]);
    expect(JSON.stringify(structuredContent).length).toBeLessThanOrEqual(LIMIT_CHARACTERS);
    return structuredContent;
  };
  expect(await ask(call, history)).toEqual(truth(history));
  expect(made).toBe(calls);
});
