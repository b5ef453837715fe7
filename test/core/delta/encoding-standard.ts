// The decoders of the WHATWG Encoding Standard, step by step as it describes them, over its own index files. Slow, and
// independent of the decoder that the product uses.
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';

type Index = readonly (number | null)[];

/** A code point, or null for an error. */
type Output = number | null;

interface Queue {
  /** Undefined at the end. */
  read: () => number | undefined;
  restore: (...bytes: (number | undefined)[]) => void;
}

const indexes = withChangesOf2022(
  (
    createRequire(import.meta.url)('text-encoding/lib/encoding-indexes.js') as {
      'encoding-indexes': Record<string, (number | null)[]>;
    }
  )['encoding-indexes'],
);

/** GB18030-2022 moved 18 characters out of the private use area. The package has the older index. */
function withChangesOf2022(before: Record<string, (number | null)[]>): Record<string, Index> {
  const runs = [
    { pointer: 7182, codePoints: [65040, 65042, 65041, 65043, 65044, 65045, 65046] },
    { pointer: 7201, codePoints: [65047, 65048] },
    { pointer: 7208, codePoints: [65049] },
    { pointer: 23775, codePoints: [40884] },
    { pointer: 23783, codePoints: [40885] },
    { pointer: 23788, codePoints: [40886, 40887] },
    { pointer: 23795, codePoints: [40888] },
    { pointer: 23812, codePoints: [40889] },
    { pointer: 23829, codePoints: [40890] },
    { pointer: 23845, codePoints: [40891] },
  ];
  const gb18030 = [...(before['gb18030'] ?? [])];
  for (const { pointer, codePoints } of runs) gb18030.splice(pointer, codePoints.length, ...codePoints);
  return { ...before, gb18030 };
}

/** SHA-256 over all indexes: a JSON array of [name, index], by name. */
export function indexesSha256(): string {
  const byName = Object.keys(indexes).toSorted();
  const text = JSON.stringify(byName.map((name) => [name, indexes[name]]));
  return createHash('sha256').update(text).digest('hex');
}

const inIndex = (name: string, pointer: number | null): number | null =>
  pointer === null ? null : (indexes[name]?.[pointer] ?? null);

const isIn = (byte: number | undefined, from: number, to: number): byte is number =>
  byte !== undefined && byte >= from && byte <= to;
const isAscii = (byte: number | undefined): byte is number => isIn(byte, 0, 0x7f);

/** @returns the output of each step of the decoder; null is an error */
export function decodeByStandard(encoding: string, bytes: Uint8Array): Output[] {
  const outputs: Output[] = [];
  const queue = [...bytes].toReversed();
  const read = () => queue.pop();
  const restore: Queue['restore'] = (...restored) => {
    for (const byte of restored.toReversed()) if (byte !== undefined) queue.push(byte);
  };
  const decode = DECODERS[encoding] ?? singleByte(encoding);
  decode({ read, restore }, (...output) => void outputs.push(...output));
  return outputs;
}

type Decoder = (queue: Queue, emit: (...outputs: Output[]) => void) => void;

const singleByte =
  (encoding: string): Decoder =>
  ({ read }, emit) => {
    const index = encoding === 'iso-8859-8-i' ? 'iso-8859-8' : encoding;
    for (let byte = read(); byte !== undefined; byte = read()) {
      emit(isAscii(byte) ? byte : inIndex(index, byte - 0x80));
    }
  };

/** Decoders in which a character is one byte or two. */
const doubleByte =
  (rule: {
    single: (byte: number) => number | null;
    isLead: (byte: number) => boolean;
    pair: (lead: number, byte: number) => Output[];
  }): Decoder =>
  ({ read, restore }, emit) => {
    for (let lead = read(); lead !== undefined; lead = read()) {
      const single = isAscii(lead) ? lead : rule.single(lead);
      if (single !== null || !rule.isLead(lead)) {
        emit(single);
        continue;
      }
      const byte = read();
      const outputs = byte === undefined ? [null] : rule.pair(lead, byte);
      if (outputs[0] === null && isAscii(byte)) restore(byte);
      emit(...outputs);
    }
  };

const isAnyLead = (byte: number): boolean => isIn(byte, 0x81, 0xfe);

const BIG5_PAIRS = new Map([
  [1133, [0xca, 0x304]],
  [1135, [0xca, 0x30c]],
  [1164, [0xea, 0x304]],
  [1166, [0xea, 0x30c]],
]);

const big5 = doubleByte({
  single: () => null,
  isLead: isAnyLead,
  pair(lead, byte) {
    const isTrail = isIn(byte, 0x40, 0x7e) || isIn(byte, 0xa1, 0xfe);
    const pointer = isTrail ? (lead - 0x81) * 157 + byte - (byte < 0x7f ? 0x40 : 0x62) : null;
    return BIG5_PAIRS.get(pointer ?? -1) ?? [inIndex('big5', pointer)];
  },
});

const eucKr = doubleByte({
  single: () => null,
  isLead: isAnyLead,
  pair: (lead, byte) => [
    inIndex('euc-kr', isIn(byte, 0x41, 0xfe) ? (lead - 0x81) * 190 + byte - 0x41 : null),
  ],
});

const shiftJis = doubleByte({
  single(byte) {
    if (byte === 0x80) return byte;
    return isIn(byte, 0xa1, 0xdf) ? 0xff61 - 0xa1 + byte : null;
  },
  isLead: (byte) => isIn(byte, 0x81, 0x9f) || isIn(byte, 0xe0, 0xfc),
  pair(lead, byte) {
    const isTrail = isIn(byte, 0x40, 0x7e) || isIn(byte, 0x80, 0xfc);
    const row = (lead - (lead < 0xa0 ? 0x81 : 0xc1)) * 188;
    const pointer = isTrail ? row + byte - (byte < 0x7f ? 0x40 : 0x41) : null;
    if (pointer !== null && isIn(pointer, 8836, 10715)) return [0xe000 - 8836 + pointer];
    return [inIndex('jis0208', pointer)];
  },
});

const eucJp: Decoder = ({ read, restore }, emit) => {
  const isHigh = (byte: number | undefined): byte is number => isIn(byte, 0xa1, 0xfe);
  for (let lead = read(); lead !== undefined; lead = read()) {
    if (isAscii(lead) || !(lead === 0x8e || lead === 0x8f || isHigh(lead))) {
      emit(isAscii(lead) ? lead : null);
      continue;
    }
    let byte = read();
    if (lead === 0x8e && isIn(byte, 0xa1, 0xdf)) {
      emit(0xff61 - 0xa1 + byte);
      continue;
    }
    const index = lead === 0x8f && isHigh(byte) ? 'jis0212' : 'jis0208';
    if (lead === 0x8f && isHigh(byte)) {
      lead = byte;
      byte = read();
    }
    const codePoint = inIndex(index, isHigh(lead) && isHigh(byte) ? (lead - 0xa1) * 94 + byte - 0xa1 : null);
    if (codePoint === null && isAscii(byte)) restore(byte);
    emit(codePoint);
  }
};

function rangesCodePoint(pointer: number): number | null {
  if (isIn(pointer, 39420, 188999) || pointer > 1237575) return null;
  if (pointer === 7457) return 0xe7c7;
  const ranges = (indexes['gb18030-ranges'] ?? []) as unknown as [number, number][];
  const [offset, codePoint] = ranges.findLast(([from]) => from <= pointer) ?? [0, 0];
  return codePoint + pointer - offset;
}

const gb18030: Decoder = ({ read, restore }, emit) => {
  const isDigit = (byte: number | undefined): byte is number => isIn(byte, 0x30, 0x39);
  for (let first = read(); first !== undefined; first = read()) {
    if (!isIn(first, 0x81, 0xfe)) {
      emit(isAscii(first) ? first : first === 0x80 ? 0x20ac : null);
      continue;
    }
    const second = read();
    if (!isDigit(second)) {
      const isTrail = isIn(second, 0x40, 0x7e) || isIn(second, 0x80, 0xfe);
      const pointer = isTrail ? (first - 0x81) * 190 + second - (second < 0x7f ? 0x40 : 0x41) : null;
      const codePoint = inIndex('gb18030', pointer);
      if (codePoint === null && isAscii(second)) restore(second);
      emit(codePoint);
      continue;
    }
    const third = read();
    const fourth = isIn(third, 0x81, 0xfe) ? read() : undefined;
    if (isIn(third, 0x81, 0xfe) && isDigit(fourth)) {
      const [a, b] = [(first - 0x81) * 12600, (second - 0x30) * 1260];
      emit(rangesCodePoint(a + b + (third - 0x81) * 10 + fourth - 0x30));
      continue;
    }
    // An incomplete character at the end is one error.
    const isAtEnd = third === undefined || (isIn(third, 0x81, 0xfe) && fourth === undefined);
    if (!isAtEnd) restore(second, third, fourth);
    emit(null);
  }
};

type JisState = 'ascii' | 'roman' | 'katakana' | 'lead';

const JIS_ESCAPES: Readonly<Record<string, JisState>> = {
  '(B': 'ascii',
  '(J': 'roman',
  '(I': 'katakana',
  $B: 'lead',
  '$@': 'lead',
};

function jisSingle(state: JisState, byte: number): number | null {
  if (state === 'katakana') return isIn(byte, 0x21, 0x5f) ? 0xff61 - 0x21 + byte : null;
  if (!isAscii(byte) || byte === 0x0e || byte === 0x0f) return null;
  if (state === 'roman' && byte === 0x5c) return 0xa5;
  return state === 'roman' && byte === 0x7e ? 0x203e : byte;
}

const iso2022Jp: Decoder = ({ read, restore }, emit) => {
  let state = 'ascii' as JisState;
  let hasJustSwitched = false;
  const readEscape = (): void => {
    const bytes = [read()];
    if (bytes[0] === 0x24 || bytes[0] === 0x28) bytes.push(read());
    const next = JIS_ESCAPES[String.fromCodePoint(...bytes.map((byte) => byte ?? 0xff))];
    if (next === undefined) {
      restore(...bytes);
      hasJustSwitched = false;
      emit(null);
      return;
    }
    state = next;
    if (hasJustSwitched) emit(null);
    hasJustSwitched = true;
  };
  for (let byte = read(); byte !== undefined; byte = read()) {
    if (byte === 0x1b) {
      readEscape();
      continue;
    }
    hasJustSwitched = false;
    if (state !== 'lead') {
      emit(jisSingle(state, byte));
    } else if (isIn(byte, 0x21, 0x7e)) {
      const trail = read();
      const isPair = isIn(trail, 0x21, 0x7e);
      emit(isPair ? inIndex('jis0208', (byte - 0x21) * 94 + trail - 0x21) : null);
      if (trail === 0x1b) restore(trail);
    } else {
      emit(null);
    }
  }
};

const utf16 =
  (isBigEndian: boolean): Decoder =>
  ({ read, restore }, emit) => {
    const isLead = (unit: number): boolean => isIn(unit, 0xd800, 0xdbff);
    const isTrail = (unit: number): boolean => isIn(unit, 0xdc00, 0xdfff);
    const readUnit = (): { unit: number; bytes: number[] } | undefined => {
      const [first, second] = [read(), read()];
      if (first === undefined || second === undefined) return undefined;
      const [high, low] = isBigEndian ? [first, second] : [second, first];
      return { unit: high * 256 + low, bytes: [first, second] };
    };
    for (let first = read(); first !== undefined; first = read()) {
      restore(first);
      const lead = readUnit();
      const trail = lead !== undefined && isLead(lead.unit) ? readUnit() : undefined;
      if (lead === undefined || isTrail(lead.unit)) {
        emit(null);
      } else if (!isLead(lead.unit)) {
        emit(lead.unit);
      } else if (trail !== undefined && isTrail(trail.unit)) {
        emit(0x10000 + (lead.unit - 0xd800) * 0x400 + trail.unit - 0xdc00);
      } else {
        // An incomplete character at the end is one error, also when it is a single byte.
        restore(...(trail?.bytes ?? []));
        emit(null);
      }
    }
  };

const DECODERS: Readonly<Record<string, Decoder>> = {
  big5,
  'euc-kr': eucKr,
  'euc-jp': eucJp,
  shift_jis: shiftJis,
  gbk: gb18030,
  gb18030,
  'iso-2022-jp': iso2022Jp,
  'utf-16le': utf16(false),
  'utf-16be': utf16(true),
  'x-user-defined': ({ read }, emit) => {
    for (let byte = read(); byte !== undefined; byte = read()) {
      emit(isAscii(byte) ? byte : 0xf780 + byte - 0x80);
    }
  },
};
