// What a person decides on: which client, where its answer goes, what it may do; and the proof of who they are.
import type { Scope } from '../../core/principal.ts';
import { escapeHtml, page } from './pages.ts';
import { describePlace, isOwnMachine } from './redirect-place.ts';
import { grantable } from './scopes.ts';

export interface ConsentRequest {
  uid: string;
  /** What the client calls itself: nobody has checked it. */
  clientName: string;
  /** Present when the client is known by the URL of its own document, which its host vouches for. */
  clientHost: string | undefined;
  redirectUri: string;
  requested: ReadonlySet<string>;
  /** Chosen on the page before. */
  chosen?: Scope;
  fault?: string;
}

export function consentPage(request: ConsentRequest): string {
  const { uid, clientName, clientHost, redirectUri, fault } = request;
  const redirect = new URL(redirectUri);
  const name = escapeHtml(clientName);
  const origin = clientHost === undefined ? '' : ` from <strong>${escapeHtml(clientHost)}</strong>`;
  return page(
    'Connect a client',
    `<p><strong><bdi>${name}</bdi></strong>${origin} asks to use your account’s records over MCP.</p>
<p>Its answer goes to <strong>${escapeHtml(describePlace(redirect))}</strong>.${warning(redirect)}</p>
${fault === undefined ? '' : `<p class="fault" role="alert" id="fault">${escapeHtml(fault)}</p>`}
<form method="post" action="/oauth/interaction/${encodeURIComponent(uid)}" autocomplete="off">
<fieldset><legend>It may</legend>
${choices(request)}
</fieldset>
<label for="key">Your account key, of scope <code>full</code></label>
<input id="key" name="key" type="password" required autocomplete="off" spellcheck="false" aria-describedby="key-note${fault === undefined ? '"' : ' fault" aria-invalid="true" autofocus'}>
<p id="key-note" class="note">It proves who you are. It is not stored, and the client does not see it. Disconnect the client at any time.</p>
<p class="buttons"><button name="answer" value="allow">Connect</button>
<button name="answer" value="deny" class="quiet" formnovalidate>Cancel</button></p>
</form>`,
  );
}

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
    ? ' That is a program on this computer: go on only if you have just started it.'
    : '';
