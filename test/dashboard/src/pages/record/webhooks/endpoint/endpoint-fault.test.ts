// The message of the webhook form for a refused URL.
import { describe, expect, it } from 'vitest';
import { Problem } from '../../../../../../../dashboard/src/client/problem.ts';
import { endpointFault } from '../../../../../../../dashboard/src/pages/record/webhooks/endpoint/endpoint-fault.ts';

const refusal = (code = 'url_not_allowed', pointer = '/url') =>
  new Problem(422, { code, detail: 'no', errors: [{ pointer, code, detail: 'give another one.' }] });

describe('an endpoint that is refused', () => {
  it.each([
    'http://localhost:9000/in',
    'http://127.0.0.1',
    ' http://127.1/',
    'http://[::1]:9000',
    'http://my.localhost',
  ])('on the server’s own machine comes with what lets it in: %s', (url) => {
    expect(endpointFault(refusal(), url)).toMatch(/^Give another one\. .*ALLOW_ADDRESSES=127/);
  });

  it.each([
    'http://10.0.0.1/',
    'http://printer.local',
    'http://a:b@localhost/',
    'localhost',
    'http://localhost.example',
  ])('elsewhere, or for another reason, does not: %s', (url) => {
    expect(endpointFault(refusal(), url)).toBe('Give another one.');
  });

  it('is explained in the API’s words for any other fault', () => {
    const url = 'http://localhost/';
    expect(endpointFault(refusal('validation_failed'), url)).toBe('Give another one.');
    expect(endpointFault(refusal('url_not_allowed', '/secret'), url)).toBeUndefined();
    expect(endpointFault(null, url)).toBeUndefined();
  });
});
