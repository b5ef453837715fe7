// Exit codes and signal handling of the commands for users. Exit code 2 is a fault.
import { CHECK_ERRORS, type CheckErrorCode } from '../../core/errors.ts';
import { BodyFault } from '../compare/version.ts';
import { InputFault } from '../input/input-fault.ts';
import { safeText } from '../../core/text/safe-text.ts';

const FAILED = 2;

/** The service's sentences speak of origins and records. */
const WORDS: Partial<Record<CheckErrorCode, string>> = {
  empty_body: 'It is empty.',
  unexpected_content: 'It is a web page, not data.',
  malformed_body: 'It could not be read in its format.',
  key_repeated: 'The key no longer tells its rows apart.',
  missing_key_field: 'A key field is missing.',
  too_many_rows: 'It has more rows than can be compared in memory.',
  body_too_large: 'It is larger than allowed.',
  unsupported_encoding: 'Its compression is not supported or is damaged.',
};

/** Prints what is wrong, and sets the exit code. */
export function endByFault(error: unknown): void {
  process.exitCode = FAILED;
  console.error(`recordwatch: ${safeText(faultWords(error))}`);
}

export function faultWords(error: unknown): string {
  if (error instanceof BodyFault) {
    const { body, fault } = error;
    const general = CHECK_ERRORS[fault.code];
    const detail = fault.message.startsWith(general) ? fault.message.slice(general.length) : '';
    const words = `${WORDS[fault.code] ?? general}${detail}`
      .replaceAll('headerRow', '--header-row')
      .replaceAll('set quoting', 'set --quoting');
    return `${body.name}: ${words} (${fault.code})`;
  }
  if (error instanceof InputFault) return error.message;
  return error instanceof Error ? error.message : String(error);
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Lets a signal end the process, after its temporary files are removed.
 * @returns a function that takes this back
 */
export function endOnSignals(removeFiles: () => void): () => void {
  const end = (signal: NodeJS.Signals): void => {
    release();
    removeFiles();
    // process.exit() would wait for a thread that waits for the writer of a named pipe.
    process.kill(process.pid, signal);
  };
  const release = (): void => {
    for (const signal of SIGNALS) process.off(signal, end);
  };
  for (const signal of SIGNALS) process.on(signal, end);
  return release;
}
