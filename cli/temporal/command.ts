// The command `temporal`: path and version of the server.
import { showSteps } from '../process/steps.ts';
import { findTemporalServer } from './find-server.ts';

/** The answer goes to standard output, progress to standard error. */
export async function temporalCommand(): Promise<void> {
  const address = process.env['TEMPORAL_ADDRESS'] ?? '';
  if (address !== '') {
    console.log(`The Temporal server at ${address} (TEMPORAL_ADDRESS): nothing is run here.`);
    return;
  }
  const steps = showSteps(process.stderr);
  try {
    const { path, version } = await steps.run(
      'Temporal',
      (report) => findTemporalServer({ report }),
      () => 'found',
    );
    console.log(`${path} ${version}`);
  } finally {
    steps.close();
  }
}
