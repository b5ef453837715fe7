// What `doctor` says of a task queue, by answers as Temporal gives them.
import { temporal } from '@temporalio/proto';
import { expect, it } from 'vitest';
import { judgeQueue } from '../../../cli/doctor/judge-queue.ts';

const NOW_MS = Date.now();
const VERSIONED = temporal.api.enums.v1.WorkerVersioningMode.WORKER_VERSIONING_MODE_VERSIONED;
const version = (buildId: string) => ({ deploymentName: 'recordwatch', buildId });

/** A worker that asked for tasks. @param buildId undefined: it has no version */
const worker = (buildId?: string, secondsAgo = 10): temporal.api.taskqueue.v1.IPollerInfo => ({
  lastAccessTime: { seconds: Math.floor(NOW_MS / 1_000 - secondsAgo) as never },
  ...(buildId !== undefined && {
    deploymentOptions: { ...version(buildId), workerVersioningMode: VERSIONED },
  }),
});

interface Case {
  workers: temporal.api.taskqueue.v1.IPollerInfo[];
  current?: string;
  ramping?: string;
  waiting?: number;
}

function judge({ workers: pollers, current, ramping, waiting = 7 }: Case) {
  const described = temporal.api.workflowservice.v1.DescribeTaskQueueResponse.create({
    pollers,
    versioningInfo: {
      ...(current !== undefined && { currentDeploymentVersion: version(current) }),
      ...(ramping !== undefined && { rampingDeploymentVersion: version(ramping) }),
    },
    stats: { approximateBacklogCount: waiting as never },
  });
  // One kind is served: what is wrong is found in either.
  const served = temporal.api.workflowservice.v1.DescribeTaskQueueResponse.create({
    pollers: [worker(), worker('2')],
  });
  return judgeQueue('records', [served, described], NOW_MS);
}

it.each<[string, Case, 'ok' | 'warning' | 'problem', string]>([
  ['of no version', { workers: [worker()] }, 'ok', 'about 7 wait'],
  ['of the current version', { workers: [worker('2')], current: '2' }, 'ok', 'about 7 wait'],
  [
    'of an earlier version only',
    { workers: [worker('1')], current: '2' },
    'problem',
    'for workers of version 2 in the deployment recordwatch',
  ],
  [
    'of no version, while a version is current',
    { workers: [worker()], current: '2' },
    'problem',
    'for workers of version 2 in the deployment recordwatch',
  ],
  [
    'of a version, while none is current',
    { workers: [worker('1')] },
    'problem',
    'for workers without a version',
  ],
  [
    'of the current version that has been silent for minutes',
    { workers: [worker('2', 200), worker('1')], current: '2' },
    'problem',
    'for workers of version 2',
  ],
  [
    'of the current version, but not of the one that is ramped up',
    { workers: [worker('2')], current: '2', ramping: '3' },
    'problem',
    'for workers of version 3',
  ],
  [
    'of both versions',
    { workers: [worker('2'), worker('3')], current: '2', ramping: '3' },
    'ok',
    'about 7 wait',
  ],
  ['that are too few', { workers: [worker()], waiting: 5_000 }, 'warning', 'About 5000 tasks wait'],
  ['that have all gone', { workers: [worker('2', 200)], current: '2' }, 'problem', 'No worker takes tasks'],
])('workers %s', (_name, given, level, words) => {
  const finding = judge(given);
  expect(finding).toMatchObject({ check: 'queue records', level, words: expect.stringContaining(words) });
  expect(finding.nextStep === null).toBe(level === 'ok');
});
