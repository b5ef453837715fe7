// The oldest Node.js that the package for users runs on: the first one with Zstandard in node:zlib.
export const OLDEST_NODE = '22.15';

/** @returns what to tell the user of an older version */
export function refuseNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split('.').map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return `recordwatch needs Node.js ${OLDEST_NODE} or newer; this is ${version}.`;
}
