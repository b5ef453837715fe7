// Tells callers of an operation that it will go, and when (RFC 9745, RFC 8594).
import type { Deprecation } from '../contract/operation.ts';

export function deprecationHeaders({ since, sunset, link }: Deprecation): Record<string, string> {
  return {
    deprecation: `@${Math.floor(since.getTime() / 1_000)}`,
    sunset: sunset.toUTCString(),
    link: `<${link}>; rel="deprecation"; type="text/html"`,
  };
}
