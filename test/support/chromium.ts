// The browser of the tests, found in this order: CHROME_PATH, one on the machine, the one that an npm package carries,
// Playwright's own. None is an error: a test that is skipped where it would fail is no test.
import { existsSync } from 'node:fs';
import sparticuz from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

const USUAL_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Everything runs as one user in containers, where Chromium's own sandbox cannot be set up. */
export const CHROMIUM_ARGS = ['--no-sandbox', '--disable-dev-shm-usage'];

export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await findChromium(), args: CHROMIUM_ARGS, headless: true });
}

/** @throws Error that says how to get one */
export async function findChromium(): Promise<string> {
  const given = process.env['CHROME_PATH'];
  if (given !== undefined && given !== '') return given;
  const usual = USUAL_PLACES.find((path) => existsSync(path));
  if (usual !== undefined) return usual;
  // Its binary is made for Linux on x64. The arguments that come with it are not taken: they put all of it into one process,
  // which ends with the first page that is closed, and they turn off what keeps origins apart.
  if (process.platform === 'linux' && process.arch === 'x64') return sparticuz.executablePath();
  const own = chromium.executablePath();
  if (existsSync(own)) return own;
  throw new Error('There is no Chromium: set CHROME_PATH, or run npx playwright-core install chromium');
}
