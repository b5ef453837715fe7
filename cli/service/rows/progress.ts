// How far a download is, on a terminal: a bar by rows when their number is known, otherwise the bytes.

export interface Progress {
  add: (chunk: Uint8Array) => void;
  /** The connection broke off, and the download continues. It is said once until something new has come. */
  resume: () => void;
  /** The download begins again. */
  restart: () => void;
  /** Removes the bar. */
  end: () => void;
}

const REDRAW_MS = 100;
const BAR_WIDTH = 30;
const LINE_END = 10;

const NONE: Progress = {
  add: () => undefined,
  resume: () => undefined,
  restart: () => undefined,
  end: () => undefined,
};

/** @param rows how many the file has, if known */
export function createProgress(
  rows: number | undefined,
  stream: NodeJS.WriteStream = process.stderr,
): Progress {
  if (!stream.isTTY) return NONE;
  const startedMs = performance.now();
  let [bytes, lines, drawnMs] = [0, 0, 0];
  let isBroken = false;
  const draw = (): void => {
    const rate = bytes / ((performance.now() - startedMs) / 1_000);
    const part = rows === undefined ? '' : `${bar(lines / Math.max(1, rows))}  `;
    stream.write(`\r\u001b[K${part}${sizeText(bytes)}, ${sizeText(rate)}/s`);
  };
  return {
    add: (chunk) => {
      isBroken = false;
      bytes += chunk.length;
      lines += lineEnds(chunk);
      if (performance.now() - drawnMs < REDRAW_MS) return;
      drawnMs = performance.now();
      draw();
    },
    resume: () => {
      if (!isBroken) stream.write('\r\u001b[KThe connection broke off. Continuing.\n');
      isBroken = true;
    },
    restart: () => {
      [bytes, lines] = [0, 0];
      stream.write('\r\u001b[KThere is a newer version. Downloading that one from the beginning.\n');
    },
    end: () => void stream.write('\r\u001b[K'),
  };
}

/** A value with line ends counts for several rows, so the bar may be early. It is never beyond its end. */
function bar(part: number): string {
  const shown = Math.min(1, part);
  const filled = Math.round(shown * BAR_WIDTH);
  return `[${'#'.repeat(filled)}${' '.repeat(BAR_WIDTH - filled)}] ${Math.floor(shown * 100)} %`;
}

function lineEnds(chunk: Uint8Array): number {
  let count = 0;
  for (let at = chunk.indexOf(LINE_END); at !== -1; at = chunk.indexOf(LINE_END, at + 1)) count += 1;
  return count;
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

export function sizeText(bytes: number): string {
  let [size, unit] = [bytes, 0];
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= 1_000;
    unit += 1;
  }
  return `${unit === 0 ? Math.round(size) : Number(size.toPrecision(3))} ${UNITS[unit]}`;
}
