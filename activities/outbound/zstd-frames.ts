// Cuts zstd data into its frames (RFC 8878, 3.1): zlib stops at the end of a frame unless its piece ends there too,
// and would so lose all frames but the first.

type Field = 'magic' | 'descriptor' | 'skippable size' | 'block header';

const FIELD_BYTES: Record<Field, number> = {
  magic: 4,
  descriptor: 1,
  'skippable size': 4,
  'block header': 3,
};
const MAGIC = 0xfd2fb528;
const SKIPPABLE_MAGIC = 0x184d2a50;
const RLE_BLOCK = 1;
const CHECKSUM_BYTES = 4;

interface State {
  field: Field;
  /** Little-endian, as far as it has been read. */
  value: number;
  readBytes: number;
  /** Bytes before the next field. */
  skipBytes: number;
  /** Whether the frame ends after them. */
  isLast: boolean;
  hasChecksum: boolean;
}

/** The same bytes, in pieces of which none goes on after the end of a frame. What is no zstd stays as it is. */
export async function* cutAtFrames(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  const state: State = {
    field: 'magic',
    value: 0,
    readBytes: 0,
    skipBytes: 0,
    isLast: false,
    hasChecksum: false,
  };
  for await (const chunk of source) {
    let from = 0;
    for (let at = 0; at < chunk.length;) {
      at = advance(state, chunk, at);
      if (!state.isLast || state.skipBytes > 0) continue;
      state.isLast = false;
      yield chunk.subarray(from, at);
      from = at;
    }
    if (from < chunk.length) yield chunk.subarray(from);
  }
}

function advance(state: State, chunk: Buffer, at: number): number {
  if (state.skipBytes > 0) {
    const skipped = Math.min(state.skipBytes, chunk.length - at);
    state.skipBytes -= skipped;
    return at + skipped;
  }
  state.value += (chunk[at] ?? 0) * 256 ** state.readBytes++;
  if (state.readBytes === FIELD_BYTES[state.field]) {
    const { value } = state;
    state.value = 0;
    state.readBytes = 0;
    FIELDS[state.field](state, value);
  }
  return at + 1;
}

const FIELDS: Record<Field, (state: State, value: number) => void> = {
  magic(state, value) {
    if (value === MAGIC) state.field = 'descriptor';
    else if (value - (value % 16) === SKIPPABLE_MAGIC) state.field = 'skippable size';
    else state.skipBytes = Infinity;
  },
  'skippable size'(state, value) {
    endFrame(state, value);
  },
  descriptor(state, value) {
    const isSingle = (value & 32) !== 0;
    const windowBytes = isSingle ? 0 : 1;
    const dictionaryBytes = [0, 1, 2, 4][value & 3] ?? 0;
    const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][value >> 6] ?? 0;
    state.skipBytes = windowBytes + dictionaryBytes + sizeBytes;
    state.hasChecksum = (value & 4) !== 0;
    state.field = 'block header';
  },
  'block header'(state, value) {
    const contentBytes = ((value >> 1) & 3) === RLE_BLOCK ? 1 : value >> 3;
    if ((value & 1) === 0) state.skipBytes = contentBytes;
    else endFrame(state, contentBytes + (state.hasChecksum ? CHECKSUM_BYTES : 0));
  },
};

/** @param restBytes how many bytes of the frame follow */
function endFrame(state: State, restBytes: number): void {
  state.skipBytes = restBytes;
  state.isLast = true;
  state.field = 'magic';
}
