// Why an endpoint's URL was refused. For a URL on the server's own machine: what allows it.
import { isProblem } from '../../../../client/problem.ts';
import { faultAt } from '../../../../parts/forms/field-faults.ts';

/** @param url the field's text */
export function endpointFault(error: unknown, url: string): string | undefined {
  const fault = faultAt(error, '/url');
  if (fault === undefined || !isProblem(error, 'url_not_allowed') || !isOnItsMachine(url)) return fault;
  return `${fault} ${OWN_MACHINE}`;
}

const OWN_MACHINE =
  'This endpoint is on the server’s own machine, which the server does not call. To allow it for a trial, set ' +
  'ALLOW_ADDRESSES=127.0.0.0/8,::1/128 on the server and restart it.';

function isOnItsMachine(text: string): boolean {
  const url = URL.parse(text.trim());
  if (url === null || url.username !== '' || url.password !== '') return false;
  const { hostname } = url;
  return /^(?:(?:.+\.)?localhost\.?|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
