// Builds the dashboard and finds the browser, once for all browser tests. A browser from an npm package is unpacked at its first
// use, which must not happen in two processes at once.
import { buildDashboard } from '../../../cli/start/build-dashboard.ts';
import { findChromium } from '../pages/chromium.ts';

export const setup = async (): Promise<void> => {
  await findChromium();
  await buildDashboard(new AbortController().signal);
};
