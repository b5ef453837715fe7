// Node options for the API and the worker. They save memory and time with large bodies and files (docs/performance.md).
// docker-compose.yml uses the same.

/** By the folder of the process. */
export const NODE_ARGS = {
  worker: ['--max-semi-space-size=4', '--no-allocation-site-pretenuring'],
  api: ['--max-semi-space-size=8'],
} as const;
