// Checks answers of a real API process against the OpenAPI document as well.
import { describeApi } from '../../api/openapi/document.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { compileContract, type Contract } from './contract.ts';

let faultsOf: Contract | undefined;

/** @throws Error when the answer is not as declared; a file's content is not looked at */
export function requireAsDeclared(method: string, url: string, response: Response, text: string): void {
  faultsOf ??= compileContract(describeApi(OPERATIONS, 'https://recordwatch.example'));
  const { pathname, search } = new URL(url);
  const isFile = response.headers.has('content-disposition');
  const faults = faultsOf({
    method,
    url: pathname + search,
    status: response.status,
    headers: Object.fromEntries(response.headers),
    ...(isFile ? {} : { text }),
  });
  if (faults.length > 0) throw new Error(`${method} ${pathname} ${response.status}: ${faults.join('; ')}`);
}
