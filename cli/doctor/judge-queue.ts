// What `doctor` says of a task queue: whether workers ask for its tasks, those of the right version, and how many tasks wait.
import type { Client } from '@temporalio/client';
import { fine, type Finding, problem, warning } from './finding.ts';

/** A queue that is served goes below it within seconds. */
const LARGEST_BACKLOG = 1_000;
/** A worker asks at least once a minute. Temporal remembers for five minutes who asked. */
const SEEN_WITHIN_MS = 120_000;

type Description = Awaited<ReturnType<Client['workflowService']['describeTaskQueue']>>;
type Queue = Pick<Description, 'pollers' | 'versioningInfo' | 'stats'>;

/** @param kinds the queue as Temporal describes it for workflows and for activities */
export function judgeQueue(name: string, kinds: readonly Queue[], nowMs: number): Finding {
  const check = `queue ${name}`;
  const waiting = kinds.reduce((sum, { stats }) => sum + Number(stats?.approximateBacklogCount ?? 0), 0);
  const seen = kinds.map((kind) => versionsSeen(kind, nowMs));
  if (seen.some(({ size }) => size === 0)) {
    return problem(check, `No worker takes tasks from ${name}; about ${waiting} wait.`, 'Start a worker.');
  }
  const [absent] = kinds.flatMap((kind, index) =>
    versionsWanted(kind).filter((version) => seen[index]?.has(version) !== true),
  );
  if (absent !== undefined) {
    return problem(
      check,
      `Tasks of ${name} are for workers ${absent}, and none of them asks for tasks; about ${waiting} wait.`,
      'Start such workers, or make the version of those that run current: temporal worker deployment set-current-version.',
    );
  }
  if (waiting <= LARGEST_BACKLOG)
    return fine(check, `Workers take tasks from ${name}; about ${waiting} wait.`);
  return warning(check, `About ${waiting} tasks wait in ${name}.`, 'Start more workers.');
}

/** temporal.api.enums.v1.WorkerVersioningMode */
const VERSIONED = 2;

/** Versions of workers that asked for tasks, in words. */
function versionsSeen({ pollers }: Queue, nowMs: number): Set<string> {
  const recent = pollers.filter(
    ({ lastAccessTime }) => nowMs - Number(lastAccessTime?.seconds ?? 0) * 1_000 < SEEN_WITHIN_MS,
  );
  return new Set(
    recent.map(({ deploymentOptions }) =>
      versionWords(Number(deploymentOptions?.workerVersioningMode) === VERSIONED ? deploymentOptions : null),
    ),
  );
}

/** Versions to which Temporal gives tasks, in words: the current one, and one that is ramped up. */
function versionsWanted({ versioningInfo }: Queue): string[] {
  const ramping = versioningInfo?.rampingDeploymentVersion;
  return [
    versionWords(versioningInfo?.currentDeploymentVersion),
    ...(ramping ? [versionWords(ramping)] : []),
  ];
}

const versionWords = (
  version: { deploymentName?: string | null; buildId?: string | null } | null | undefined,
) =>
  version ? `of version ${version.buildId} in the deployment ${version.deploymentName}` : 'without a version';
