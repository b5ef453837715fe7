// Options of Node for the processes that large bodies and files go through, which take less memory and time with them
// (docs/performance.md). docker-compose.yml starts its containers with the same.

/** By the folder of the process. */
export const NODE_ARGS = {
  worker: ['--max-semi-space-size=4', '--no-allocation-site-pretenuring'],
  api: ['--max-semi-space-size=8'],
} as const;
