// Once for all browser tests: the dashboard is built from these sources.
import { buildDashboard } from '../../cli/start/build-dashboard.ts';

export const setup = async (): Promise<void> => void (await buildDashboard(new AbortController().signal));
