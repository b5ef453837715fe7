// Rows of the report about the MCP server.
import type { EraResult, McpResult } from './measure-mcp.ts';

const ERAS = { older: 'initialize era', newer: '2026-07-28' } as const;

export function mcpRows({ eras, memoryGrowthBytes }: McpResult): string[][] {
  return [
    ...Object.entries(eras).map(([era, result]) => [
      `MCP, ${ERAS[era as keyof typeof ERAS]}: calls/s to those of a constant`,
      result.ratio.toFixed(2),
      '>= 0.60',
      remarks(result),
    ]),
    [
      'MCP: growth of the API’s memory',
      `${(memoryGrowthBytes / 2 ** 20).toFixed(0)} MiB`,
      '< 64 MiB',
      '100,000 calls',
    ],
  ];
}

function remarks({
  callsPerSecond,
  p99Ms,
  bareP99Ms,
  cpuMicroseconds,
  bareCpuMicroseconds,
}: EraResult): string {
  const rate = `${callsPerSecond.toFixed(0)} calls/s`;
  const latency = `p99 of 20 connections ${p99Ms.toFixed(0)} ms to ${bareP99Ms.toFixed(0)} ms`;
  const cpu = `CPU ${cpuMicroseconds.toFixed(0)} µs a call to ${bareCpuMicroseconds.toFixed(0)} µs`;
  return [rate, latency, cpu].join('; ');
}
