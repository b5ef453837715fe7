// Shows progress: one line for each finished step, and the state of the slow ones.

export type Report = (text: string) => void;

export interface Steps {
  /**
   * Runs one step. Steps may run side by side.
   * @param done what to say about the result
   */
  run: <T>(name: string, work: (report: Report) => Promise<T>, done: (result: T) => string) => Promise<T>;
  /** Ends the display. */
  close: () => void;
}

interface RunningStep {
  name: string;
  startedAt: number;
  state: string;
}

const SLOW_AFTER_MS = 2_000;
const REDRAW_MS = 500;
const MIN_COLUMNS = 40;
/** Where lines cannot be redrawn (a log), a slow step says so this often. */
const REPEAT_MS = 10_000;

export function showSteps(out: NodeJS.WriteStream): Steps {
  const running = new Set<RunningStep>();
  let lastShownAt = 0;
  const clear = () => (out.isTTY ? out.write('\r\u001B[K') : undefined);
  const showSlow = () => {
    const now = Date.now();
    const slow = [...running].filter(({ startedAt }) => now - startedAt >= SLOW_AFTER_MS);
    if (slow.length === 0 || (!out.isTTY && now - lastShownAt < REPEAT_MS)) return;
    lastShownAt = now;
    const text = slow.map((step) => `… ${step.name}: ${step.state} (${duration(now - step.startedAt)})`);
    clear();
    out.write(
      out.isTTY ? text.join('  ').slice(0, Math.max(out.columns, MIN_COLUMNS) - 1) : `${text.join('\n')}\n`,
    );
  };
  const timer = setInterval(showSlow, REDRAW_MS);
  const run: Steps['run'] = async (name, work, done) => {
    const step = { name, startedAt: Date.now(), state: 'starting' };
    running.add(step);
    try {
      const result = await work((text) => (step.state = text));
      clear();
      out.write(`✓ ${name}: ${done(result)} (${duration(Date.now() - step.startedAt)})\n`);
      return result;
    } finally {
      running.delete(step);
    }
  };
  const close = () => {
    clearInterval(timer);
    clear();
  };
  return { run, close };
}

/** `0.4 s`, `12 s`, `3 min 5 s`. */
export function duration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
