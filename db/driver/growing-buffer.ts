// A buffer that is used again and again: new ones for each page would pile up until the garbage collector comes.

export interface GrowingBuffer {
  clear: () => void;
  append: (chunk: Buffer) => void;
  /** What was appended since it was cleared; holds good until then. */
  content: () => Buffer;
}

export function createGrowingBuffer(): GrowingBuffer {
  let bytes = Buffer.alloc(0);
  let length = 0;
  return {
    clear: () => {
      length = 0;
    },
    append: (chunk) => {
      if (length + chunk.length > bytes.length) {
        const larger = Buffer.allocUnsafeSlow(2 * (length + chunk.length));
        bytes.copy(larger, 0, 0, length);
        bytes = larger;
      }
      length += chunk.copy(bytes, length);
    },
    content: () => bytes.subarray(0, length),
  };
}
