// The options that say how bodies are read and compared: the settings of a record, and the charset of bodies on this machine.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { COMMAS, splitDelimited } from '../../core/delta/delimited/split-delimited.ts';
import { DATA_FORMATS, type DataFormat, QUOTINGS, type Quoting } from '../../core/delta/model.ts';
import type { Rule } from '../compare/version.ts';

export interface ReadingOptions {
  key?: string[];
  ignore?: string[];
  input?: DataFormat;
  delimiter?: string;
  rowsPath?: string;
  headerRow?: number;
  quoting?: Quoting;
  pair?: true;
}

/** Of commands that read bodies themselves. The service takes the charset from the origin. */
export interface LocalReadingOptions extends ReadingOptions {
  charset?: string;
}

export const withReadingOptions = (command: Command): Command =>
  command
    .option('--key <fields>', 'the fields that identify a row, such as a,b; empty: the whole row', readKey)
    .option('--ignore <field>', 'a field that does not count; may be repeated', add)
    .addOption(new Option('--input <format>', 'the format, if it is not detected').choices(DATA_FORMATS))
    .option('--delimiter <character>', 'the delimiter, if it is not detected', readDelimiter)
    .option('--rows-path <path>', 'the path to the rows of a JSON document, such as data.items')
    .option('--header-row <line>', 'the line that names the columns; 0: none', readLine)
    .addOption(
      new Option('--quoting <kind>', 'none: a quote in CSV or TSV is an ordinary character').choices(
        QUOTINGS,
      ),
    )
    .option('--pair', 'show edited rows without a key as changed, if they are similar');

export const withLocalReadingOptions = (command: Command): Command =>
  withReadingOptions(command).option(
    '--charset <name>',
    'the charset, such as windows-1252, if nothing names it or names it wrong',
    readCharset,
  );

function readCharset(text: string): string {
  try {
    return new TextDecoder(text).encoding;
  } catch {
    throw new InvalidArgumentError(
      'It must be the name of a charset, such as utf-8, windows-1252 or shift_jis.',
    );
  }
}

export const ruleOf = ({
  key,
  ignore = [],
  input,
  delimiter,
  rowsPath,
  headerRow,
  quoting,
  pair,
  charset,
}: LocalReadingOptions): Rule => ({
  keyFields: key,
  ignoreFields: ignore,
  format: input,
  delimiter,
  rowsPath,
  headerRow,
  quoting,
  charset,
  pairing: pair && 'similarity',
});

const add = (field: string, fields: readonly string[] = []): string[] => [...fields, field];

/** A line of CSV, so that a name may have commas within quotes. Repeating the option adds fields. */
function readKey(text: string, earlier: readonly string[] = []): string[] {
  if (text === '') return [];
  const { rows } = splitDelimited(text, COMMAS, true);
  const [fields = [], ...others] = rows;
  if (others.length > 0 || fields.includes('')) {
    throw new InvalidArgumentError('It must be names of fields with commas between them.');
  }
  return [...earlier, ...fields];
}

function readDelimiter(text: string): string {
  const delimiter = text === String.raw`\t` ? '\t' : text;
  if (/^[^"\r\n]$/u.test(delimiter) && delimiter.length === 1) return delimiter;
  throw new InvalidArgumentError('It must be one character, not a quote or a line end. A tab is \\t.');
}

function readLine(text: string): number {
  const line = Number(text);
  if (/^\d+$/.test(text) && line <= MOST_LINES) return line;
  throw new InvalidArgumentError(`It must be a number from 0 to ${MOST_LINES}.`);
}

const MOST_LINES = 1_000;
