// Worker Versioning of Temporal: which version a worker has, and how workflows move to the next one.
import type { WorkerDeploymentOptions } from '@temporalio/worker';
import { type Config, SETTINGS } from '../core/config.ts';

/**
 * Workflows move to the current version with their next task, and with the next attempt of an activity that waits. A record's
 * run may continue for months without an event, so a pinned one would keep its old workers for months (docs/decisions/0049).
 * @returns undefined: the worker has no version
 * @throws Error when only one of the two settings is there
 */
export function deploymentOptions({
  temporalDeploymentName: deploymentName,
  temporalWorkerBuildId: buildId,
}: Pick<Config, 'temporalDeploymentName' | 'temporalWorkerBuildId'>): WorkerDeploymentOptions | undefined {
  if (deploymentName === '' && buildId === '') return undefined;
  if (deploymentName === '' || buildId === '') {
    const names = [SETTINGS.temporalDeploymentName.name, SETTINGS.temporalWorkerBuildId.name];
    throw new Error(`Set both ${names.join(' and ')}, or neither.`);
  }
  return {
    version: { deploymentName, buildId },
    useWorkerVersioning: true,
    defaultVersioningBehavior: 'AUTO_UPGRADE',
  };
}
