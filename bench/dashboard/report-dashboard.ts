// Rows of the report about the dashboard.
import type { DashboardResult } from './measure-dashboard.ts';

/** @returns measured, result, target and remarks */
export function dashboardRows(result: DashboardResult): string[][] {
  const { firstLoadBytes, lighthouse, openMs, renderedRows } = result;
  return [
    [
      'Dashboard: compressed JavaScript of the first load',
      `${(firstLoadBytes / 1_000).toFixed(0)} kB`,
      '<= 200 kB',
      'the records page, signed in',
    ],
    ...lighthouse.map(({ page, scores }) => [
      `Dashboard: Lighthouse of the page ${page}, desktop`,
      String(Math.min(...Object.values(scores))),
      '>= 99',
      Object.entries(scores)
        .map(([category, score]) => `${category} ${score}`)
        .join(', '),
    ]),
    [
      'Dashboard: opening an event of 100,000 changed rows, to one of 100',
      (openMs.large / openMs.small).toFixed(2),
      '<= 1.5',
      `${openMs.large.toFixed(0)} to ${openMs.small.toFixed(0)} ms`,
    ],
    [
      'Dashboard: rows in the page, of 100,000',
      String(renderedRows),
      'those in sight',
      'after going to the middle of what is loaded',
    ],
  ];
}
