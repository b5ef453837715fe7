// Handles the consent page: creates the grant of a client's tokens, and lists the client for the account's owner.
import { errors, type InteractionResults, type Provider } from 'oidc-provider';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AuditSource } from '../../core/audit.ts';
import { isId } from '../../core/ids.ts';
import { lockAccount } from '../../db/accounts/accounts.ts';
import { insertAuditEntry } from '../../db/accounts/audit-log.ts';
import type { Database } from '../../db/driver/knex.ts';
import { type ClientScope, insertConnectedClient } from '../../db/access/connected-clients.ts';
import { isLoginRecent, lockLogin } from '../../db/access/login-sessions.ts';
import { deleteGrant } from '../../db/access/oauth-objects.ts';
import { findPasswordHash } from '../../db/access/users.ts';
import { signedOut } from '../auth/library-errors.ts';
import { newId } from '../contract/new-id.ts';
import { mcpResource, OAUTH_PATH } from './provider.ts';
import { decide, grantable } from './scopes.ts';
import { API_ERRORS, ApiError } from '../../core/errors.ts';
import { callerAddress } from '../../core/network/caller-address.ts';
import { findApiKey, lockWorkingKey } from '../../db/access/api-keys.ts';
import { originOfRequest } from '../contract/audit.ts';
import { signInAgain, toApiError } from '../contract/errors.ts';
import { authenticateFrom, type Admission, refuseDashboardToken } from '../access/admission.ts';
import { logFailure } from '../http/problems.ts';
import { consentPage, type ConsentRequest } from './consent-page.ts';
import { faultPage, pageHeaders } from './pages.ts';

interface Connection {
  accountId: string;
  clientId: string;
  clientName: string;
  scope: ClientScope;
  /** The key or the login of the person who decides. */
  credentialId: string;
  origin: AuditSource;
}

/**
 * @returns the result for the authorization server
 * @throws ApiError unauthenticated when the person's session or key has ended, recent_sign_in_required when it is too old: nothing is
 *   connected then
 */
async function connectClient(
  provider: Provider,
  db: Database,
  { accountId, clientId, clientName: name, scope, credentialId, origin }: Connection,
): Promise<InteractionResults> {
  const grant = new provider.Grant({ accountId, clientId });
  const resource = mcpResource(provider.issuer);
  const { granted, refused } = decide(scope);
  // The library needs them as OIDC scopes too, because clients register with them.
  grant.addOIDCScope(granted);
  grant.addResourceScope(resource, granted);
  if (refused !== '') {
    grant.rejectOIDCScope(refused);
    grant.rejectResourceScope(resource, refused);
  }
  const grantId = await grant.save();
  const id = newId('connectedClient', Date.now());
  try {
    await db.transaction(async (trx) => {
      await lockAccount(trx, accountId);
      if (isId('loginSession', credentialId)) await requireFreshLogin(trx, credentialId);
      else if (!(await lockWorkingKey(trx, credentialId))) throw keyEnded();
      await insertConnectedClient(trx, { id, accountId, clientId, name, grantId, scope });
      const entry = { accountId, action: 'client.connect', actorId: credentialId, origin } as const;
      await insertAuditEntry(trx, { ...entry, target: { id, name } });
    });
  } catch (error) {
    await deleteGrant(db, grantId);
    throw error;
  }
  return { login: { accountId, remember: false }, consent: { grantId } };
}

/** A connection outlasts the session, as keys and webhooks do. */
async function requireFreshLogin(trx: Database, id: string): Promise<void> {
  if (!(await lockLogin(trx, id))) throw signedOut();
  if (!(await isLoginRecent(trx, id))) throw signInAgain('connect the client');
}

const keyEnded = (): ApiError =>
  new ApiError('unauthenticated', 'This key was revoked or has expired meanwhile.');

const FORM = 'application/x-www-form-urlencoded';
const FORM_LIMIT_BYTES = 10_000;

export interface ConsentContext {
  admission: Admission;
  provider: Provider;
  baseUrl: string;
}

export function registerConsent(app: FastifyInstance, context: ConsentContext): void {
  const url = `${OAUTH_PATH}/interaction/:uid`;
  app.addContentTypeParser<string>(
    FORM,
    { parseAs: 'string', bodyLimit: FORM_LIMIT_BYTES },
    async (_request: FastifyRequest, body: string) => new URLSearchParams(body),
  );
  app.setErrorHandler(async (error, request, reply) => {
    const { status, detail } = faultOf(error);
    logFailure(request, error, status);
    return send(reply, faultPage(detail), status);
  });
  app.get(url, async (request, reply) =>
    send(reply, consentPage(await readRequest(context, request, reply))),
  );
  app.post<{ Body: unknown }>(url, async (request, reply) => answer(context, request, reply));
}

function faultOf(error: unknown): { status: number; detail: string } {
  if (error instanceof errors.OIDCProviderError && error.statusCode < 500) {
    return { status: 400, detail: 'It was started in another browser, or too long ago' };
  }
  const { code, message } = toApiError(error);
  const { status } = API_ERRORS[code];
  return { status, detail: status >= 500 ? 'Something failed on our side' : message.replace(/\.$/, '') };
}

const send = (reply: FastifyReply, html: string, status = 200): FastifyReply =>
  reply.code(status).headers(pageHeaders).send(html);

/** @throws OIDCProviderError when the browser's cookie names no pending request */
async function readRequest(
  { provider, admission: { db } }: ConsentContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<ConsentRequest & { clientId: string }> {
  const { uid, params } = await provider.interactionDetails(request.raw, reply.raw);
  const {
    client_id: clientId,
    redirect_uri: redirectUri,
    scope,
  } = params as Record<string, string | undefined>;
  const client = clientId === undefined ? undefined : await provider.Client.find(clientId);
  if (client === undefined || clientId === undefined || redirectUri === undefined) {
    throw new errors.InvalidRequest('the client is not known');
  }
  const clientHost = URL.canParse(clientId) ? new URL(clientId).host : undefined;
  const clientName = (client.clientName ?? clientHost ?? 'A client without a name')
    .slice(0, 100)
    .toWellFormed();
  const signedIn = await findSignedIn(db, request);
  const requested = new Set(scope?.split(' '));
  return { uid, clientId, clientName, clientHost, redirectUri, requested, signedIn };
}

async function findSignedIn(db: Database, request: FastifyRequest): Promise<ConsentRequest['signedIn']> {
  const login = await request.server.findLogin(request);
  if (login === null) return undefined;
  const { id: userId, email, accountId } = login.user;
  const sessionId = login.session.id;
  if (await isLoginRecent(db, sessionId)) return { email, accountId, sessionId, proof: 'session' };
  const proof = (await findPasswordHash(db, userId)) === undefined ? 'key' : 'password';
  return { email, accountId, sessionId, proof };
}

async function answer(
  context: ConsentContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  refuseOtherSites(request, context.baseUrl);
  const asked = await readRequest(context, request, reply);
  const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
  const { provider, admission } = context;
  if (form.get('answer') === 'deny') {
    const refusal = { error: 'access_denied', error_description: 'The account’s owner refused' };
    return redirect(reply, await provider.interactionResult(request.raw, reply.raw, refusal));
  }
  const scope = chosenScope(asked, form);
  const again = async (fault: string, status: number): Promise<FastifyReply> => {
    // Read again, because the session may have ended since, or become too old.
    const shown = { ...asked, signedIn: await findSignedIn(admission.db, request), fault };
    return send(reply, consentPage({ ...shown, ...(scope === undefined ? {} : { chosen: scope }) }), status);
  };
  if (scope === undefined) return again('Choose what the client may do.', 422);
  try {
    const owner = await ownerOf(admission, request, form, asked.signedIn);
    const result = await connectClient(provider, admission.db, {
      ...asked,
      ...owner,
      scope,
      origin: originOfRequest(request, 'oauth'),
    });
    return redirect(reply, await provider.interactionResult(request.raw, reply.raw, result));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const fault = error.code === 'validation_failed' ? 'This is not your password.' : error.message;
    return again(fault, error.code === 'rate_limited' ? 429 : 422);
  }
}

/** The flow's cookie is SameSite, so other sites cannot submit the form. This is a second check. */
function refuseOtherSites({ headers }: FastifyRequest, baseUrl: string): void {
  const { origin, 'sec-fetch-site': site = 'same-origin' } = headers;
  const isOurs = origin === undefined || origin === new URL(baseUrl).origin;
  if (!isOurs || site !== 'same-origin') {
    throw new errors.InvalidRequest('the answer came from another site');
  }
}

function chosenScope({ requested }: ConsentRequest, form: URLSearchParams): ClientScope | undefined {
  const chosen = form.get('scope');
  return grantable(requested).find(({ scope }) => scope === chosen)?.scope;
}

/**
 * @param signedIn the session of this browser
 * @throws ApiError with a message for the page
 */
async function ownerOf(
  admission: Admission,
  request: FastifyRequest,
  form: URLSearchParams,
  signedIn: ConsentRequest['signedIn'],
): Promise<{ accountId: string; credentialId: string }> {
  const shown = form.get('session');
  if (shown !== null) {
    if (signedIn !== undefined && shown === signedIn.sessionId) {
      const password = form.get('password') ?? undefined;
      if (password !== undefined) await request.server.confirmPassword(request, password);
      return { accountId: signedIn.accountId, credentialId: signedIn.sessionId };
    }
    throw new ApiError(
      'unauthenticated',
      'Your session has changed since the page was shown. Check again who is connecting.',
    );
  }
  const authorization = `Bearer ${form.get('key')?.trim() ?? ''}`;
  refuseDashboardToken(authorization, 'sign in to the dashboard in this browser, or enter an account key');
  const { principal } = await authenticateFrom(
    admission,
    callerAddress(request.ip),
    authorization,
    undefined,
  );
  if (principal.kind !== 'account' || principal.scope !== 'full') {
    throw new ApiError('insufficient_scope', 'This needs an account key with the scope full.');
  }
  // A key that expires may not create access that outlives it.
  if (((await findApiKey(admission.db, principal.credentialId))?.expiresAt ?? null) !== null) {
    throw new ApiError(
      'insufficient_scope',
      'This key expires, and the connection would outlive it: enter a key without an expiry.',
    );
  }
  return { accountId: principal.accountId, credentialId: principal.credentialId };
}

const redirect = (reply: FastifyReply, url: string): FastifyReply =>
  reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }).redirect(url, 303);
