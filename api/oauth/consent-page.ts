// The consent page: which client asks, where it redirects to, what it may do, and how the person proves who they are.
import type { ClientScope } from '../../db/access/connected-clients.ts';
import { RECENT_LOGIN_MINUTES } from '../../db/access/login-sessions.ts';
import { escapeHtml } from '../../core/text/escape-html.ts';
import { safeText } from '../../core/text/safe-text.ts';
import { describeDestination, isOwnMachine, page } from './pages.ts';
import { grantable } from './scopes.ts';

export interface ConsentRequest {
  uid: string;
  /** The client's own name, which is not verified. */
  clientName: string;
  /** Set if the client is identified by the URL of its own document, for which this host vouches. */
  clientHost: string | undefined;
  redirectUri: string;
  requested: ReadonlySet<string>;
  /** Set if somebody is signed in to the dashboard in this browser. */
  signedIn?: SignedIn | undefined;
  /** The previous choice. */
  chosen?: ClientScope;
  fault?: string;
}

interface SignedIn {
  email: string;
  accountId: string;
  sessionId: string;
  /** What shows that it is them: a recent sign-in is enough. After an older one the password, or a key if they have none. */
  proof: 'session' | 'password' | 'key';
}

export function consentPage(request: ConsentRequest): string {
  const { uid, clientName, clientHost, redirectUri, signedIn, fault } = request;
  const redirect = new URL(redirectUri);
  const name = isolated(clientName);
  const origin = clientHost === undefined ? '' : ` from <strong>${escapeHtml(clientHost)}</strong>`;
  return page(
    'Connect a client',
    `<p><strong>${name}</strong>${origin} asks to use your account’s records over MCP.</p>
<p>Its answer goes to <strong>${escapeHtml(describeDestination(redirect))}</strong>.${warning(redirect)}</p>
${fault === undefined ? '' : `<p class="fault" role="alert" id="fault">${escapeHtml(fault)}</p>`}
<form method="post" action="/oauth/interaction/${encodeURIComponent(uid)}" autocomplete="off">
<fieldset><legend>It may</legend>
${choices(request)}
</fieldset>
${proof(signedIn, fault !== undefined)}
<p class="buttons"><button name="answer" value="allow">Connect</button>
<button name="answer" value="deny" class="quiet" formnovalidate>Cancel</button></p>
</form>`,
  );
}

/** A text of others. What turns the direction of text is shown, because with it a name could look like another one. */
const isolated = (text: string): string => `<bdi>${escapeHtml(safeText(text))}</bdi>`;

function proof(signedIn: SignedIn | undefined, isWrong: boolean): string {
  if (signedIn === undefined) return keyField(isWrong);
  const who = `<p>You are signed in as <strong>${isolated(signedIn.email)}</strong>.</p>`;
  if (signedIn.proof === 'key') return `${who}\n${SIGN_IN_AGAIN}\n${keyField(isWrong)}`;
  const password = signedIn.proof === 'password' ? `\n${passwordField(isWrong)}` : '';
  return `${who}${owner(signedIn)}${password}
<p class="note">Disconnect the client at any time.</p>`;
}

const SIGN_IN_AGAIN = `<p>That was more than ${RECENT_LOGIN_MINUTES} minutes ago. Sign in again in this browser and reload this page, or enter a key.</p>`;

const stateOf = (note: string, isWrong: boolean): string =>
  isWrong ? `aria-describedby="${note} fault" aria-invalid="true" autofocus` : `aria-describedby="${note}"`;

const passwordField = (isWrong: boolean): string => `<label for="password">Your password</label>
<input id="password" name="password" type="password" required autocomplete="current-password" ${stateOf('password-note', isWrong)}>
<p id="password-note" class="note">You signed in more than ${RECENT_LOGIN_MINUTES} minutes ago.</p>`;

function keyField(isWrong: boolean): string {
  const state = stateOf('key-note', isWrong);
  return `<label for="key">Your account key, of scope <code>full</code></label>
<input id="key" name="key" type="password" required autocomplete="off" spellcheck="false" ${state}>
<p id="key-note" class="note">It proves who you are. It is not stored, and the client does not see it. Disconnect the client at any time.</p>`;
}

/** The form contains the session's id: if the browser has another session when it is sent, the page is shown again. */
const owner = ({ sessionId }: SignedIn): string => `
<input type="hidden" name="session" value="${escapeHtml(sessionId)}">`;

function choices({ requested, chosen }: ConsentRequest): string {
  const offered = grantable(requested);
  return offered
    .map(({ name, scope, words }, at) => {
      const isChosen = chosen === undefined ? at === 0 : scope === chosen;
      const checked = isChosen ? ' checked' : '';
      return `<label class="choice"><input type="radio" name="scope" value="${scope}"${checked}> ${words} <code>${name}</code></label>`;
    })
    .join('\n');
}

const warning = (redirect: URL): string =>
  isOwnMachine(redirect)
    ? ' That is a program on this computer: continue only if you have just started it.'
    : '';
