// Once for all browser tests: builds the dashboard and finds the browser. A browser from an npm package is unpacked at its
// first use, which must not happen in two processes at once.
import { buildDashboard } from '../../cli/start/build-dashboard.ts';
import { findChromium } from './chromium.ts';

export const setup = async (): Promise<void> => {
  await findChromium();
  await buildDashboard(new AbortController().signal);
};
