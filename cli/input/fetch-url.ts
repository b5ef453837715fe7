// Fetches a URL from the command line through the service's own requests, and into a file.
import { lookup } from 'node:dns/promises';
import { fetchBody, type FetchedResponse } from '../../activities/fetch/fetch-body.ts';
import type { OriginCredentials } from '../../activities/fetch/open-origin.ts';
import { CheckError } from '../../core/errors.ts';
import { isAllowedAddress, parseAllowedNetworks } from '../../core/network/address-policy.ts';
import { checkUrl, isLoopbackName, literalAddress } from '../../core/network/origin-url.ts';
import { credentialsToSend } from '../../core/source-credentials.ts';
import { TIERS } from '../../core/tiers.ts';
import type { OutboundFailureKind } from '../../outbound/failure.ts';
import type { OutboundGuard } from '../../outbound/guard.ts';
import type { BodyFile } from '../compare/body-file.ts';
import { BodyFault, ofBody } from '../compare/version.ts';
import { programVersion } from '../program-version.ts';
import { InputFault } from './input-fault.ts';
import type { Scratch } from './scratch.ts';
import { shownUrl } from './shown-url.ts';

export interface FetchContext {
  scratch: Scratch;
  signal: AbortSignal;
  /** Headers such as If-None-Match. */
  conditions?: Readonly<Record<string, string>>;
}

type Fetched = FetchedResponse extends infer Each
  ? Each extends { status: 'ok' }
    ? Each & { body: BodyFile }
    : Each
  : never;

/** @throws InputFault it is no URL @throws BodyFault there is no body */
export async function fetchUrl(
  text: string,
  { scratch, signal, conditions = {} }: FetchContext,
): Promise<Fetched> {
  const { url, credentials } = readUrl(text);
  const name = shownUrl(url);
  let reason: OutboundFailureKind | undefined;
  const guard = { ...(await guardFor(url)), report: (failed: { reason: OutboundFailureKind }) => (reason = failed.reason) }; // prettier-ignore
  const fetching = fetchBody({
    url: url.href,
    guard,
    userAgent: `recordwatch/${programVersion()}`,
    conditions,
    credentials,
    folder: scratch.folder(),
    maxBytes: TIERS.max.maxBodyBytes,
    signal,
  }).catch((error: unknown) => {
    const words = reason === undefined ? undefined : REASONS[reason];
    if (!(error instanceof CheckError) || error.code !== 'origin_unreachable' || words === undefined)
      throw error;
    throw new BodyFault({ name }, new CheckError(error.code, words));
  });
  const fetched = await ofBody({ name }, fetching);
  if (fetched.status === 'not_modified') return fetched;
  const { file: path, sizeBytes, headers, isCloseDelimited } = fetched;
  const body = { name, path, sizeBytes, contentType: headers.contentType, isCloseDelimited };
  return { ...fetched, body };
}

/** The service does not tell callers these apart. The user of this machine may know. */
const REASONS: Partial<Record<OutboundFailureKind, string>> = {
  dns: 'Its name has no address.',
  refused: 'It is in a private network, and a public address leads to it.',
  tls: 'It answers, but not with TLS. Its URL may begin with http://.',
  unreachable: 'Nothing answers there.',
};

/** User name and password of the URL become a header. No message has them. */
function readUrl(text: string): { url: URL; credentials: OriginCredentials } {
  const url = URL.parse(text);
  if (url === null) throw new InputFault('This is not a URL. Give one such as https://example.com/data.csv.');
  const [authUsername, authPassword] = [decode(url.username), decode(url.password)];
  url.username = '';
  url.password = '';
  if (authUsername === '' && authPassword === '') return { url, credentials: {} };
  return { url, credentials: credentialsToSend('basic', { authUsername, authPassword }) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * A user may fetch from any host that the machine reaches. Its name is resolved once. Beyond the host's own addresses, neither a
 * redirect nor another answer of DNS may lead into the user's own network.
 */
export async function guardFor(url: URL): Promise<OutboundGuard> {
  const { hostname } = url;
  const literal = literalAddress(hostname);
  const addresses = literal === undefined ? await resolve(hostname).catch(() => []) : [literal];
  return {
    allowed: parseAllowedNetworks(privateAddresses(url, addresses)),
    resolve: async (host) => (host === hostname ? addresses : resolve(host)),
  };
}

/** Without addresses that are valid on one interface only: the guard refuses them, and a host has others beside them. */
async function resolve(host: string): Promise<string[]> {
  const answers = await lookup(host, { all: true });
  return answers.map(({ address }) => address).filter((address) => !address.includes('%'));
}

const LOOPBACK = ['127.0.0.0/8', '::1/128'];

/** The host that the user has named, if it is not a public one. */
function privateAddresses(url: URL, addresses: readonly string[]): readonly string[] {
  const name = url.hostname.replace(/\.$/, '');
  // Its names and addresses are one host, to which servers redirect by either.
  if (isLoopbackName(name) || /^(127\.|\[::1\]$)/.test(name)) return [...LOOPBACK, ...addresses];
  const host = new URL(url);
  host.port = '';
  if ('error' in checkUrl(host.href, [])) return addresses;
  // Where a public name has addresses of both kinds, a public server could redirect to the private one.
  return addresses.some((address) => isAllowedAddress(address, 0, [])) ? [] : addresses;
}
