// Prints the tests that failed at first and passed when they ran again.
import type { Reporter, TestModule } from 'vitest/node';

export class FlakyTestsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const flaky = modules.flatMap((module) =>
      [...module.children.allTests()].flatMap((test) =>
        test.diagnostic()?.flaky === true ? [`  ${module.relativeModuleId} > ${test.fullName}`] : [],
      ),
    );
    if (flaky.length > 0) console.log(`\n Failed at first, passed when run again\n${flaky.join('\n')}`);
  }
}
