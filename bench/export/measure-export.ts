// Measures a million rows as CSV over HTTP, beside COPY of the same rows read in the same way, and what the API uses.
import { cpuSecondsOf, memoryOf } from '../processes.ts';
import { median } from '../statistics.ts';
import type { System } from '../system.ts';
import { drainCopy, drainHttp } from './drain.ts';
import { type SeededRows, seedRows } from './seed-rows.ts';

const ROWS = 1_000_000;
const SAMPLE_EVERY_MS = 100;

export interface ExportResult {
  /** Rows a second, to those of COPY. */
  ratio: number;
  rowsPerSecond: number;
  bytes: number;
  /** Of the API, for one file. */
  cpuSeconds: number;
  /** The API’s resident memory at its highest, less what it was before the first file. */
  memoryGrowthBytes: number;
}

interface Round {
  exportMs: number;
  copyMs: number;
  bytes: number;
  cpuSeconds: number;
}

export async function measureExport(
  system: System,
  rounds: number,
  report: (text: string) => void,
): Promise<ExportResult> {
  report(`export: making ${ROWS} rows`);
  const rows = await seedRows(system.db, system.dev.accountId, ROWS);
  const memory = watchMemory(system);
  const all: Round[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const measured = await measureRound(system, rows);
    const seconds = (ms: number) => (ms / 1_000).toFixed(2);
    report(
      `export, round ${round}: ${seconds(measured.exportMs)} s to ${seconds(measured.copyMs)} s of COPY, API + ${(memory.growthBytes() / 2 ** 20).toFixed(0)} MiB`,
    );
    // The first round fills caches.
    if (round > 0) all.push(measured);
  }
  memory.stop();
  return {
    ratio: median(all.map(({ exportMs, copyMs }) => copyMs / exportMs)),
    rowsPerSecond: ROWS / (median(all.map(({ exportMs }) => exportMs)) / 1_000),
    bytes: all[0]?.bytes ?? 0,
    cpuSeconds: median(all.map(({ cpuSeconds }) => cpuSeconds)),
    memoryGrowthBytes: memory.growthBytes(),
  };
}

async function measureRound({ dev }: System, { recordId, recordNo }: SeededRows): Promise<Round> {
  const copy = await drainCopy(
    dev.databaseUrl,
    `select data from row_versions where record_no = ${recordNo} and generation = 1
       and first_seq <= 1 and (last_seq is null or last_seq >= 1) order by row_key`,
  );
  const api = dev.pids['api'] ?? 0;
  const cpuBefore = cpuSecondsOf(api);
  const file = await drainHttp(`${dev.baseUrl}/v1/sources/${recordId}/snapshots/latest/download?format=csv`, {
    authorization: `Bearer ${dev.apiKey}`,
  });
  const cpuSeconds = cpuSecondsOf(api) - cpuBefore;
  return { exportMs: file.ms, copyMs: copy.ms, bytes: file.bytes, cpuSeconds };
}

function watchMemory(system: System): { growthBytes: () => number; stop: () => void } {
  const read = (): number => memoryOf(system.processes()['api'] ?? []).rssBytes;
  const before = read();
  let highest = before;
  const timer = setInterval(() => {
    highest = Math.max(highest, read());
  }, SAMPLE_EVERY_MS);
  return { growthBytes: () => highest - before, stop: () => clearInterval(timer) };
}
