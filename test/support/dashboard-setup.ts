// Once for all browser tests: the dashboard is built from these sources, and the browser lies where it is looked for. One
// that an npm package carries is unpacked at its first use, and counts as there as soon as its file is.
import { buildDashboard } from '../../cli/start/build-dashboard.ts';
import { findChromium } from './chromium.ts';

export const setup = async (): Promise<void> => {
  await findChromium();
  await buildDashboard(new AbortController().signal);
};
