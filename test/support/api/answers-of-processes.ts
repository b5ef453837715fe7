// Checks answers of a real API process against the OpenAPI document.
import { OPERATIONS } from '../../../api/operations.ts';
import { contractOf } from './contract.ts';

/** @throws Error when the answer is not as declared. The content of files is not checked. */
export function requireAsDeclared(method: string, url: string, response: Response, text: string): void {
  const { pathname, search } = new URL(url);
  const isFile = response.headers.has('content-disposition');
  const faults = contractOf(OPERATIONS)({
    method,
    url: pathname + search,
    status: response.status,
    headers: Object.fromEntries(response.headers),
    ...(isFile ? {} : { text }),
  });
  if (faults.length > 0) throw new Error(`${method} ${pathname} ${response.status}: ${faults.join('; ')}`);
}
