// What `doctor` and `backup check` find: the result of one check, in words, with the next step.
import { columns, print, type Printing } from '../operator/print.ts';

/** From good to bad. Their indexes are the exit codes. */
const LEVELS = ['ok', 'warning', 'problem'] as const;

export interface Finding {
  /** Stable, for programs. */
  check: string;
  level: (typeof LEVELS)[number];
  words: string;
  /** What to do; null when all is well. */
  nextStep: string | null;
}

export const fine = (check: string, words: string): Finding => ({
  check,
  level: 'ok',
  words,
  nextStep: null,
});

export const warning = (check: string, words: string, nextStep: string): Finding => ({
  check,
  level: 'warning',
  words,
  nextStep,
});

export const problem = (check: string, words: string, nextStep: string): Finding => ({
  check,
  level: 'problem',
  words,
  nextStep,
});

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** @returns what a part of the checks finds; a problem when that part itself fails, so that the others are still told */
export async function orProblem(
  check: string,
  find: () => Promise<Finding[]>,
  nextStep: string,
): Promise<Finding[]> {
  try {
    return await find();
  } catch (error) {
    // knex puts the statement before PostgreSQL's message.
    return [problem(check, `The checks failed: ${reasonOf(error).split(' - ').at(-1)}.`, nextStep)];
  }
}

export const AFTER_QUERY = 'Read the log of PostgreSQL, and run this command again.';

/** Timestamps are compared with the middle of the request, so that a slow network is not taken for a wrong clock. */
const MAX_SKEW_MS = 5_000;

/**
 * @param read the other clock's time, in milliseconds since the epoch
 * @param now this machine's clock
 */
export async function compareClocks(
  of: 'PostgreSQL' | 'Temporal',
  read: () => Promise<number>,
  now: () => number,
): Promise<Finding> {
  const check = `clock ${of}`;
  const before = now();
  const theirs = await read();
  const skewMs = theirs - (before + now()) / 2;
  const seconds = Math.abs(skewMs / 1_000).toFixed(1);
  const words = `The clock of ${of} is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} this machine's.`;
  if (Math.abs(skewMs) <= MAX_SKEW_MS) return fine(check, words);
  return warning(check, words, 'Synchronise the clocks of both machines with NTP, such as by chrony.');
}

/** Sets the exit code: 0 all is well, 1 there are warnings, 2 there are problems. */
export function printFindings(printing: Printing, findings: readonly Finding[]): void {
  const worst = Math.max(...findings.map(({ level }) => LEVELS.indexOf(level)));
  process.exitCode = worst;
  print(printing, { level: LEVELS[worst], findings }, () =>
    [
      columns(
        ['LEVEL', 'CHECK', 'FINDING'],
        findings.map(({ level, check, words }) => [level, check, words]),
        'Nothing was checked.',
      ),
      ...nextSteps(findings),
    ].join('\n'),
  );
}

function nextSteps(findings: readonly Finding[]): string[] {
  const steps = findings.flatMap(({ check, nextStep }) =>
    nextStep === null ? [] : [`- ${check}: ${nextStep}`],
  );
  return ['', ...(steps.length === 0 ? ['All is well.'] : ['Next steps:', ...steps])];
}
