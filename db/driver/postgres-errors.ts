// Which failure of PostgreSQL an error is: https://www.postgresql.org/docs/18/errcodes-appendix.html
const CODES = { uniqueViolation: '23505', undefinedTable: '42P01', queryCancelled: '57014' } as const;

export function isPostgresError(error: unknown, kind: keyof typeof CODES): error is PostgresError {
  return error instanceof Error && 'code' in error && error.code === CODES[kind];
}

interface PostgresError extends Error {
  /** Name of the constraint that was violated, if it was one. */
  constraint?: string;
}
