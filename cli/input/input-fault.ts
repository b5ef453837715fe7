// Why an input could not be read at all, in words for the person at the terminal.
const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file.',
  EACCES: 'You may not read it.',
  EPERM: 'You may not read it.',
  EISDIR: 'It is a folder. Name a file.',
};

export class InputFault extends Error {}

/** @param name of the input, as it was given */
export function inputFault(name: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const words = WORDS[code];
  return words === undefined ? error : new InputFault(`${name}: ${words}`, { cause: error });
}
