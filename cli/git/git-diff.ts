// An external diff driver of git (gitattributes(5)): prints how two versions of a file differ, row by row. Files that cannot
// be compared by rows are compared by lines, as git would.
import { spawnSync } from 'node:child_process';
import { absentFields } from '../compare/absent-fields.ts';
import { compareVersions } from '../compare/compare-versions.ts';
import { BodyFault, openFirst } from '../compare/version.ts';
import { faultWords } from '../diff/end.ts';
import { countWords, warningWords } from '../diff/formats/text.ts';
import { patchLines } from '../diff/formats/patch.ts';
import { absentWords } from '../diff/note-absent.ts';
import { createPaint, type Paint } from '../diff/paint.ts';
import { type LocalReadingOptions, ruleOf } from '../diff/reading-options.ts';
import { differingRows, type DiffReport } from '../diff/report.ts';
import { safeText } from '../../core/text/safe-text.ts';
import { isDriverOfGit } from './git-arguments.ts';
import { writeOut } from '../diff/write-out.ts';
import { openInput } from '../input/open-input.ts';
import { createScratch } from '../input/scratch.ts';
import { misuse } from '../operator/fail.ts';

/** What git names in place of a file that does not exist. */
const NOTHING = '/dev/null';

/** git ends with an error when its driver does not end with 0, whatever it found. */
export async function gitDiff(
  given: readonly string[],
  options: LocalReadingOptions & { maxRows: number },
): Promise<void> {
  const [path, old, , , now, , , renamedTo] = given;
  if (path !== undefined && old === undefined && isDriverOfGit()) {
    return writeOut([`* Unmerged path ${safeText(path)}\n`], 'patch');
  }
  if (path === undefined || old === undefined || now === undefined) {
    throw misuse(
      'git gives seven arguments: path, old file, its hash and mode, new file, its hash and mode.',
    );
  }
  const names = { before: `a/${path}`, now: `b/${renamedTo ?? path}` };
  // git has a pager show the output, which passes colours on.
  const paint = createPaint(process.env['GIT_PAGER_IN_USE'] === 'true' && isColorful() ? 'always' : 'auto');
  await writeOut(
    [`${paint('strong', safeText(`diff --recordwatch ${names.before} ${names.now}`))}\n`],
    'patch',
  );
  if (old === NOTHING || now === NOTHING) return byLines(old, now);
  try {
    await byRows({ old, now, names }, options, paint);
  } catch (error) {
    if (!(error instanceof BodyFault)) throw error;
    await writeOut([`# ${safeText(faultWords(error))} Compared by lines.\n`], 'patch');
    byLines(old, now);
  }
}

const isColorful = (): boolean => (process.env['NO_COLOR'] ?? '') === '' && process.env['TERM'] !== 'dumb';

async function byRows(
  { old, now, names }: { old: string; now: string; names: DiffReport['names'] },
  options: LocalReadingOptions & { maxRows: number },
  paint: Paint,
): Promise<void> {
  const scratch = createScratch();
  const { signal } = new AbortController();
  try {
    const rule = ruleOf(options);
    const before = { ...(await openInput(old, scratch, signal)), name: names.before };
    const after = { ...(await openInput(now, scratch, signal)), name: names.now };
    const first = await openFirst(before, rule);
    const { lines, ...comparison } = await compareVersions(first, after, rule);
    const absent = await absentFields(rule.ignoreFields, [
      [before, first.known],
      [after, comparison.known],
    ]);
    const most = options.maxRows === 0 ? Infinity : options.maxRows;
    const report = {
      ...comparison,
      names,
      isKeyGiven: rule.keyFields !== undefined,
      lines: await lines(most),
    };
    await writeOut([...commentLines(report, paint, absent), ...patchLines(report, paint)], 'patch');
  } finally {
    scratch.remove();
  }
}

const SAME_ROWS = 'No row differs. Order, quotes and lines above the header are not compared.';

function* commentLines(report: DiffReport, paint: Paint, absent: readonly string[]): Generator<string> {
  const { names, warnings } = report;
  yield `# ${countWords(report, paint)}\n`;
  if (differingRows(report) === 0) yield `# ${SAME_ROWS}\n`;
  for (const warning of warnings.before) yield `# ${warningWords(names.before, warning)}\n`;
  for (const warning of warnings.now) yield `# ${warningWords(names.now, warning)}\n`;
  for (const field of absent) yield `# ${absentWords(field, 'neither version')}\n`;
}

/** Without drivers, or git would call this one again. */
function byLines(old: string, now: string): void {
  const options = ['--no-pager', 'diff', '--no-index', '--no-ext-diff', '--no-textconv', '--', old, now];
  spawnSync('git', options, { stdio: 'inherit' });
}
