// Finds the browser of the tests, in this order: CHROME_PATH, one on the machine, the one of an npm package, Playwright's own.
// Without any, the tests fail: skipping them would hide faults.
import { existsSync } from 'node:fs';
import sparticuz from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

const USUAL_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/**
 * In containers everything runs as one user, so Chromium cannot set up its sandbox. Without a graphics card, it would imitate one:
 * more than half of its processor time.
 */
export const CHROMIUM_ARGS = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'];

export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await findChromium(), args: CHROMIUM_ARGS, headless: true });
}

/** @throws Error that says how to install one */
export async function findChromium(): Promise<string> {
  const given = process.env['CHROME_PATH'];
  if (given !== undefined && given !== '') return given;
  const usual = USUAL_PATHS.find((path) => existsSync(path));
  if (usual !== undefined) return usual;
  // Its binary is for Linux on x64. Its recommended arguments are not used: they put everything into one process, which ends
  // with the first closed page, and they turn off the isolation of origins.
  if (process.platform === 'linux' && process.arch === 'x64') return sparticuz.executablePath();
  const own = chromium.executablePath();
  if (existsSync(own)) return own;
  throw new Error('There is no Chromium: set CHROME_PATH, or run npx playwright-core install chromium');
}
