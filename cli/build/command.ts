// `npm run build`: the files of the dashboard, as `npm start` makes them.
import { buildDashboard } from '../start/build-dashboard.ts';

export async function buildCommand(): Promise<void> {
  const isNew = await buildDashboard(new AbortController().signal);
  console.log(`The dashboard is ${isNew ? 'built' : 'up to date'}.`);
}
