// Orders test files, slow ones first, so that no core is idle while a long file runs last.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take 20 seconds or more on two cores, slowest first within their project. Files of one project share a process only
 * when they follow each other.
 */
export const SLOW_FILES: readonly string[] = [
  'test/e2e/faults/chaos.temporal.test.ts',
  'test/faults/faults.temporal.test.ts',
  'test/upgrade/version-before.temporal.test.ts',
  'test/e2e/faults/killed-polls.temporal.test.ts',
  'test/e2e/accounts/sessions.temporal.test.ts',
  'test/e2e/faults/stuck-workflows.temporal.test.ts',
  'test/e2e/accounts/deleted-accounts.temporal.test.ts',
  'test/e2e/operations/start.temporal.test.ts',
  'test/e2e/accounts/canary.temporal.test.ts',
  'test/e2e/faults/killed-processes.temporal.test.ts',
  'test/e2e/faults/worker-versions.temporal.test.ts',
  'test/e2e/operations/sealed-payloads.temporal.test.ts',
  'test/workflows/watch-record.temporal.test.ts',
  'test/e2e/webhooks/digests.temporal.test.ts',
  'test/e2e/webhooks/webhooks.temporal.test.ts',
  'test/e2e/operations/traces.temporal.test.ts',
  'test/e2e/origins/real-versions.temporal.test.ts',
  'test/e2e/origins/dripping-origins.temporal.test.ts',
  'test/cli/doctor/doctor.temporal.test.ts',
  'test/e2e/operations/command-line.temporal.test.ts',
  'test/e2e/origins/python-origin.temporal.test.ts',
  'test/e2e/origins/politeness.temporal.test.ts',
  'test/e2e/origins/faulty-origins.temporal.test.ts',
  'test/workflows/watch-record.two-in-one-task.temporal.test.ts',
  'test/e2e/faults/silent-database.temporal.test.ts',
  'test/workflows/retry-delivery.temporal.test.ts',
  'test/e2e/origins/hostile-bodies.temporal.test.ts',
  'test/e2e/faults/rolling-restart.temporal.test.ts',
  'test/contract/first-contract.temporal.test.ts',
  'test/browser/every-page.browser.test.ts',
  'test/browser/pictures.browser.test.ts',
  'test/browser/changes-and-data.browser.test.ts',
  'test/browser/records-and-checks.browser.test.ts',
  'test/browser/connect-and-webhooks.browser.test.ts',
  'test/browser/accounts.browser.test.ts',
  'test/browser/hostile-text.browser.test.ts',
  'test/browser/anonymous.browser.test.ts',
  'test/browser/webhook-order.browser.test.ts',
  'test/browser/interruptions.browser.test.ts',
  'test/browser/first-steps.browser.test.ts',
  'test/browser/recent-sign-in.browser.test.ts',
  'test/browser/command-line-login.browser.test.ts',
  'test/cli/compare/compare-versions.cuts.test.ts',
  'test/api/auth/passwords.pg.test.ts',
  'test/api/access/admission.matrix.pg.test.ts',
  'test/api/openapi/document.schemathesis.pg.test.ts',
  'test/api/openapi/document.fuzz.pg.test.ts',
  'test/activities/checks/record-delta.conformance.pg.test.ts',
  'test/cli/diff/diff.conformance.pg.test.ts',
  'test/cli/service/command.pg.test.ts',
  'test/cli/service/access/login.pg.test.ts',
  'test/docs/generated-clients.pg.test.ts',
  'test/db/commit/commit-delta.conformance.pg.test.ts',
  'test/replay/replay.test.ts',
  'test/cli/compare/compare-versions.test.ts',
  'test/core/delta/raw/write-rows.test.ts',
  'test/activities/fetch/fetch-body.memory.test.ts',
  'test/cli/git/git-diff.test.ts',
  'test/hostile/hostile.test.ts',
  'test/core/delta/decode-text.encoding-standard.test.ts',
  'test/cli/diff/diff.test.ts',
  'test/activities/checks/settle-record.conformance.pg.test.ts',
  'test/api/snapshots/export-files.pg.test.ts',
  'test/db/rows/compare-snapshots.pg.test.ts',
  'test/cli/postgres/start-postgres.test.ts',
  'test/db/driver/watch-connections.pg.test.ts',
  'test/activities/heartbeating.stuck.pg.test.ts',
  'test/activities/blobs/s3-blobs.faults.test.ts',
];

/** The order of the other files. */
const PROJECTS: readonly string[] = ['temporal', 'browser', 'replacing', 'postgres', 'pure'];

/** Vitest's recorded durations order the files within a rank. A new checkout has none. */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rankOf = ({ moduleId, project }: TestSpecification): number => {
      const rank = SLOW_FILES.findIndex((path) => moduleId.endsWith(`/${path}`));
      return rank === -1 ? SLOW_FILES.length + PROJECTS.indexOf(project.name) : rank;
    };
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}
