// Walks through a JSON document as a stream and cuts out the elements of selected arrays. Everything else is validated.
// Arrays within elements belong to the element.
import { CheckError } from '../../errors.ts';
import { cutOff, toCheckError } from './json-fault.ts';
import { stringEnd, valueEnd } from './json-value-end.ts';
import type { RowLimits } from '../model.ts';
import { decodeString, JsonScanError, scanJson } from './scan-json.ts';
import { shorten } from '../warnings.ts';

/** @param offset characters of the document before the element */
type TakeElement = (text: string, offset: number) => void;

type PassElement = (firstCharacter: string) => void;

interface WalkOptions {
  /**
   * Called for every array that is not within another array.
   * @param path its dot path; undefined for the root
   * @returns a function that gets each complete element, not yet validated; undefined to only validate the array
   */
  takeArray: (path: string | undefined) => TakeElement | undefined;
  /** Called for every array that is only validated. @returns a function that gets the start of each valid element */
  passArray?: ((path: string | undefined) => PassElement) | undefined;
  /** Names an incomplete element of a selected array, for messages. */
  nameElement: () => string;
  limits: Pick<RowLimits, 'maxDepth' | 'maxNameLength' | 'maxRowLength'>;
}

interface DocumentWalk {
  /** Processes all complete values. @returns how many characters were consumed @throws CheckError */
  walk: (text: string, isEnd: boolean) => number;
  /** The current location, for messages. */
  location: () => string;
}

type Expected = 'value' | 'first item' | 'item' | 'comma or end' | 'nothing';

interface Container {
  isArray: boolean;
  /** Undefined: the root. */
  path: string | undefined;
  /** Gets an array's elements. */
  take?: TakeElement | undefined;
  pass?: PassElement | undefined;
  /** The current member. */
  name?: string;
  /** The member that contains a selected array. */
  takenName?: string | undefined;
}

interface State {
  options: WalkOptions;
  /** Open containers, outermost first. */
  open: Container[];
  expected: Expected;
  text: string;
  isEnd: boolean;
  /** Characters of the document before the text. */
  offset: number;
}

/** The text ends before the value does. */
const INCOMPLETE = -1;

export function createDocumentWalk(options: WalkOptions): DocumentWalk {
  const state: State = { options, open: [], expected: 'value', text: '', isEnd: false, offset: 0 };
  return {
    walk(text, isEnd) {
      state.text = text;
      state.isEnd = isEnd;
      let at = spaceEnd(text, 0);
      while (at < text.length) {
        const next = STEPS[state.expected](state, at, top(state));
        if (next === INCOMPLETE) break;
        at = spaceEnd(text, next);
      }
      if (isEnd && (at < text.length || state.expected !== 'nothing')) throw unfinished(state, at);
      state.offset += at;
      state.text = '';
      return at;
    },
    location: () =>
      top(state)?.take === undefined
        ? `the value at character ${state.offset + 1}`
        : state.options.nameElement(),
  };
}

/** Reads the expected token and returns the offset after it. */
type Step = (state: State, at: number, container: Container | undefined) => number;

const STEPS: Record<Expected, Step> = {
  value: readValue,
  'first item': (state, at, container) =>
    isClosing(state, at, container) ? leave(state, at) : readItem(state, at, container),
  item: readItem,
  'comma or end': (state, at, container) => {
    if (isClosing(state, at, container)) return leave(state, at);
    if (state.text.charAt(at) !== ',') throw syntaxAt(state, at);
    state.expected = 'item';
    return at + 1;
  },
  nothing: (state, at) => {
    const where = `at character ${state.offset + at + 1}`;
    throw new CheckError(
      'malformed_body',
      `More follows after the end of the document, ${where}. One object on each line is the format jsonl.`,
    );
  },
};

function readValue(state: State, at: number, container: Container | undefined): number {
  const first = state.text.charAt(at);
  if (first === '{' || first === '[') return enter(state, at, container);
  const end = valueEnd(state.text, at, state.isEnd);
  if (end === INCOMPLETE) return INCOMPLETE;
  scanPart(state, at, end);
  state.expected = container === undefined ? 'nothing' : 'comma or end';
  return end;
}

function enter(state: State, at: number, parent: Container | undefined): number {
  const { limits, takeArray, passArray } = state.options;
  if (state.open.length === limits.maxDepth) {
    throw new CheckError('malformed_body', `Nested too deep at character ${state.offset + at + 1}.`);
  }
  const isArray = state.text.charAt(at) === '[';
  const path = parent === undefined ? undefined : joinPath(parent.path, parent.name ?? '');
  if ((path?.length ?? 0) > limits.maxNameLength) {
    throw new CheckError('row_too_large', `A name before character ${state.offset + at + 1} is too long.`);
  }
  const take = isArray ? takeArray(path) : undefined;
  if (take !== undefined) for (const container of state.open) container.takenName = container.name;
  const pass = isArray && take === undefined ? passArray?.(path) : undefined;
  state.open.push({ isArray, path, take, pass });
  state.expected = 'first item';
  return at + 1;
}

function joinPath(parent: string | undefined, name: string): string {
  return parent === undefined ? name : `${parent}.${name}`;
}

function isClosing({ text }: State, at: number, container: Container | undefined): boolean {
  return text.charAt(at) === (container?.isArray === true ? ']' : '}');
}

function leave(state: State, at: number): number {
  state.open.pop();
  state.expected = state.open.length === 0 ? 'nothing' : 'comma or end';
  return at + 1;
}

function readItem(state: State, at: number, container: Container | undefined): number {
  return container?.isArray === true ? readElement(state, at, container) : readName(state, at, container);
}

function readElement(state: State, at: number, { take, pass }: Container): number {
  const end = valueEnd(state.text, at, state.isEnd);
  if (end === INCOMPLETE) return INCOMPLETE;
  if (take === undefined) scanPart(state, at, end);
  else take(state.text.slice(at, end), state.offset + at);
  pass?.(state.text.charAt(at));
  state.expected = 'comma or end';
  return end;
}

function readName(state: State, at: number, container: Container | undefined): number {
  if (state.text.charAt(at) !== '"') throw syntaxAt(state, at);
  const end = stringEnd(state.text, at);
  const colonAt = end === INCOMPLETE ? state.text.length : spaceEnd(state.text, end);
  if (colonAt === state.text.length) return INCOMPLETE;
  if (state.text.charAt(colonAt) !== ':') throw syntaxAt(state, colonAt);
  const name = decodeString(scanPart(state, at, end));
  // Of repeated members the last one counts, but the rows of the first one were already passed on.
  if (container?.takenName === name) {
    throw new CheckError(
      'malformed_body',
      `“${shorten(name)}” leads to the rows and comes twice, again at character ${state.offset + at + 1}.`,
    );
  }
  if (container !== undefined) container.name = name;
  state.expected = 'value';
  return colonAt + 1;
}

/** Validates a part of the text. Returns its token if it is a scalar. */
function scanPart(state: State, start: number, end: number): string {
  const { maxDepth, maxRowLength } = state.options.limits;
  if (end - start > maxRowLength) {
    throw new CheckError('row_too_large', `It is the value at character ${state.offset + start + 1}.`);
  }
  const text = state.text.slice(start, end);
  try {
    const { root } = scanJson(text, maxDepth);
    return typeof root === 'string' ? root : '';
  } catch (error) {
    if (!(error instanceof JsonScanError)) throw error;
    const isOpen = state.isEnd && end === state.text.length;
    throw toCheckError(error, text, { name: '', offset: state.offset + start, isOpen });
  }
}

/** The error for a body that ends within a value: truncated, unless the rest is invalid anyway. */
function unfinished(state: State, at: number): CheckError {
  const rest = state.text.slice(at);
  const name = top(state)?.take === undefined ? '' : state.options.nameElement();
  try {
    if (rest !== '') scanJson(rest, state.options.limits.maxDepth);
  } catch (error) {
    if (!(error instanceof JsonScanError)) throw error;
    return toCheckError(error, rest, { name, offset: state.offset + at, isOpen: true });
  }
  return cutOff(`the document, after character ${state.offset + state.text.length}`);
}

function syntaxAt(state: State, at: number): CheckError {
  return new CheckError('malformed_body', `Not valid JSON at character ${state.offset + at + 1}.`);
}

function top({ open }: State): Container | undefined {
  return open.at(-1);
}

const SPACE = /[ \t\n\r]*/y;

function spaceEnd(text: string, at: number): number {
  if (text.charCodeAt(at) > 32) return at;
  SPACE.lastIndex = at;
  SPACE.test(text);
  return SPACE.lastIndex;
}
