// Compares a picture of a page with the committed one, pixel by pixel.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

const COMMITTED = fileURLToPath(new URL('../../fixtures/pictures/', import.meta.url));
/** Not committed: what failed, and where it differs. */
const FAILED = fileURLToPath(new URL('../../browser/screenshots/', import.meta.url));

/** Of all pixels. Digits, ports and the edges of letters differ. */
const MOST_PART = 0.01;

/** Writes the committed pictures again. */
const IS_WRITING = process.env['PICTURES'] === 'write';

/** @returns what is wrong with the picture; undefined: nothing, or it was written */
export function faultOfPicture(name: string, shot: Buffer): string | undefined {
  const path = join(COMMITTED, `${name}.png`);
  if (IS_WRITING) {
    mkdirSync(COMMITTED, { recursive: true });
    writeFileSync(path, shot);
    return undefined;
  }
  if (!existsSync(path)) return `${name}: there is no ${path}`;
  const [before, now] = [PNG.sync.read(readFileSync(path)), PNG.sync.read(shot)];
  const { width, height } = before;
  if (now.width !== width || now.height !== height) return `${name}: ${now.width} by ${now.height} pixels`;
  const difference = new PNG({ width, height });
  const count = pixelmatch(before.data, now.data, difference.data, width, height, { threshold: 0.2 });
  const part = count / (width * height);
  if (part <= MOST_PART) return undefined;
  mkdirSync(FAILED, { recursive: true });
  writeFileSync(join(FAILED, `${name}-now.png`), shot);
  writeFileSync(join(FAILED, `${name}-difference.png`), PNG.sync.write(difference));
  return `${name}: ${(100 * part).toFixed(2)} % of the pixels differ; see ${FAILED}${name}-difference.png`;
}
