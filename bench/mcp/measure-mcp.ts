// Measures tool calls a second in both protocol eras, beside the same libraries with a constant tool, and checks that
// memory stays level over many calls.
import autocannon from 'autocannon';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { cpuSecondsOf, memoryOf } from '../processes.ts';
import { seedTargets, type Target } from '../api/seed.ts';
import { median } from '../statistics.ts';
import type { System } from '../system.ts';
import type { BareMcpAnswer, BareMcpOrder } from './bare-mcp-server.ts';
import { type Era, ERAS, toolCall, type ToolCall } from './calls.ts';

const CONNECTIONS = 20;
const SECONDS = 4;
/** As many as the connections may carry together: the server closes each after a thousand. */
const CALLS_AT_ONCE = 20_000;
/** After the first ones, when the process is warm. */
const TIMES = 5;

export interface EraResult {
  /** Calls a second, to those of the constant. */
  ratio: number;
  callsPerSecond: number;
  p99Ms: number;
  bareP99Ms: number;
  /** Processor time of the process that answers, for a call; other programs disturb it less than the rate. */
  cpuMicroseconds: number;
  bareCpuMicroseconds: number;
}

export interface McpResult {
  eras: Record<Era, EraResult>;
  /** Of the API, from the 20,000th call to the 120,000th. */
  memoryGrowthBytes: number;
}

export async function measureMcp(
  system: System,
  rounds: number,
  report: (text: string) => void,
): Promise<McpResult> {
  const targets = await seedTargets(system.db);
  const bare = await startBare(await answerText(system, targets));
  try {
    const measured = [];
    for (const era of ERAS)
      measured.push([era, await measureEra(system, bare, targets, era, rounds, report)]);
    // Entries of the very names of ERAS.
    const eras = Object.fromEntries(measured) as McpResult['eras'];
    return { eras, memoryGrowthBytes: await measureGrowth(system, targets, report) };
  } finally {
    bare.stop();
  }
}

async function measureEra(
  system: System,
  bare: Bare,
  targets: readonly Target[],
  era: Era,
  rounds: number,
  report: (text: string) => void,
): Promise<EraResult> {
  const all = [];
  const bareCalls = targets.map((target) => callOf(era, `/${era}`, target));
  for (let round = 0; round <= rounds; round += 1) {
    const ours = await timed(apiOf(system), () =>
      load(system.dev.baseUrl, callsOf(era, targets), { duration: SECONDS }),
    );
    const theirs = await timed(bare.pid, () => load(bare.url, bareCalls, { duration: SECONDS }));
    report(
      `mcp, round ${round}, ${era}: ${ours.perSecond.toFixed(0)} calls/s to ${theirs.perSecond.toFixed(0)}`,
    );
    // The first round fills caches.
    if (round > 0) all.push({ ours, theirs });
  }
  return {
    ratio: median(all.map(({ ours, theirs }) => ours.perSecond / theirs.perSecond)),
    callsPerSecond: median(all.map(({ ours }) => ours.perSecond)),
    p99Ms: median(all.map(({ ours }) => ours.p99Ms)),
    bareP99Ms: median(all.map(({ theirs }) => theirs.p99Ms)),
    cpuMicroseconds: median(all.map(({ ours }) => ours.cpuMicroseconds)),
    bareCpuMicroseconds: median(all.map(({ theirs }) => theirs.cpuMicroseconds)),
  };
}

/** @throws Error when it does not run */
function apiOf({ dev }: System): number {
  const { api } = dev.pids;
  if (api === undefined) throw new Error('The API does not run');
  return api;
}

/** The same load, with what a call cost the process that answered. */
async function timed(pid: number, run: () => Promise<Load>): Promise<Load & { cpuMicroseconds: number }> {
  const before = cpuSecondsOf(pid);
  const loaded = await run();
  return { ...loaded, cpuMicroseconds: ((cpuSecondsOf(pid) - before) * 1e6) / loaded.calls };
}

const callOf = (era: Era, path: string, { recordId, apiKey }: Target): ToolCall =>
  toolCall(era, path, recordId, apiKey);

const callsOf = (era: Era, targets: readonly Target[]): ToolCall[] =>
  targets.map((target) => callOf(era, '/v1/mcp', target));

async function measureGrowth(
  system: System,
  targets: readonly Target[],
  report: (text: string) => void,
): Promise<number> {
  const calls = ERAS.flatMap((era) => callsOf(era, targets));
  const read = () => memoryOf(system.processes()['api'] ?? []).rssBytes;
  await load(system.dev.baseUrl, calls, { amount: CALLS_AT_ONCE });
  const before = read();
  for (let time = 1; time <= TIMES; time += 1) {
    report(`mcp: ${time * CALLS_AT_ONCE} calls`);
    await load(system.dev.baseUrl, calls, { amount: CALLS_AT_ONCE });
  }
  return read() - before;
}

interface Load {
  calls: number;
  perSecond: number;
  p99Ms: number;
}

/** @throws Error when one is not answered with 200 */
async function load(
  url: string,
  requests: readonly ToolCall[],
  length: { duration: number } | { amount: number },
): Promise<Load> {
  const result = await autocannon({ url, connections: CONNECTIONS, requests: [...requests], ...length });
  const { errors, timeouts, non2xx, latency, requests: made, duration } = result;
  if (errors + timeouts + non2xx > 0) {
    throw new Error(`${non2xx} answers other than 2xx, ${errors} errors, ${timeouts} timeouts`);
  }
  return { calls: made.total, perSecond: made.total / duration, p99Ms: latency.p99 };
}

/** What the tool answers, so that both send the same. @throws Error when it answers with none */
async function answerText({ dev }: System, targets: readonly Target[]): Promise<string> {
  const [target] = targets;
  if (target === undefined) throw new Error('There is nothing to ask about');
  const { method, path, headers, body } = callOf('older', '/v1/mcp', target);
  const response = await fetch(dev.baseUrl + path, { method, headers, body });
  const { result } = (await response.json()) as {
    result?: { isError?: boolean; content: { text: string }[] };
  };
  const [content] = result?.content ?? [];
  if (content === undefined || result?.isError === true) throw new Error('The tool does not answer');
  return content.text;
}

interface Bare {
  url: string;
  pid: number;
  stop: () => void;
}

async function startBare(text: string): Promise<Bare> {
  const child = fork(fileURLToPath(new URL('bare-mcp-server.ts', import.meta.url)), {
    env: { PATH: process.env['PATH'] },
  });
  const answered = once(child, 'message');
  child.send({ text } satisfies BareMcpOrder);
  // The child sends this one message.
  const [{ url }] = (await answered) as [BareMcpAnswer];
  // It has answered, so it runs.
  return { url, pid: Number(child.pid), stop: () => child.disconnect() };
}
