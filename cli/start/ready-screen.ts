// The one screen that is shown when everything runs.
import type { DevFile } from '../process/dev-file.ts';

export interface ReadyScreen extends DevFile {
  folder: string;
  /** Signs in to the dashboard, once, within an hour. */
  signInUrl: string;
  receiverUrl: string;
  webhookId: string;
  moveSeconds: number;
  /** Where debuggers attach; null when they cannot. */
  inspect: Readonly<{ api: string; worker: string }> | null;
}

export function readyScreen(ready: ReadyScreen): string {
  const { baseUrl, apiKey, demo, temporalUiUrl } = ready;
  const source = `${baseUrl}/v1/sources/${demo.sourceId}`;
  const auth = `-H 'Authorization: Bearer ${apiKey}'`;
  const workflow =
    temporalUiUrl === null
      ? []
      : row('Its workflow', workflowUrl(temporalUiUrl, ready.temporalNamespace, demo.sourceId));
  return [
    '',
    'Recordwatch is ready.',
    '',
    ...dashboard(ready),
    ...row('API', baseUrl),
    ...row('Temporal', `${ready.temporalAddress}${temporalUiUrl === null ? '' : `, UI ${temporalUiUrl}`}`),
    ...row('PostgreSQL', withoutPassword(ready.databaseUrl)),
    ...row('Data and logs', ready.folder),
    ...(ready.inspect === null
      ? []
      : row('Debuggers', `API ${ready.inspect.api}, worker ${ready.inspect.worker}`)),
    ...row('API key', apiKey),
    '',
    ...row('Demo record', `${demo.sourceId} (spdx-licences), a list at ${demo.originUrl}`),
    ...row('', `which changes every ${ready.moveSeconds} s`),
    ...row('Its webhook', `${ready.webhookId} to ${ready.receiverUrl}`),
    ...workflow,
    '',
    'Try:',
    `  curl -s ${auth} ${baseUrl}/v1/sources`,
    `  curl -s ${auth} ${source}/delta/latest`,
    `  curl -s ${auth} '${source}/delta?changesOnly=true&limit=5'`,
    '',
    'Changes are shown here as they are found. Ctrl-C ends everything.',
    '',
  ].join('\n');
}

function dashboard({ dashboardUrl, signInUrl }: ReadyScreen): string[] {
  if (dashboardUrl === null) return row('Dashboard', 'not built: npm run build');
  return [...row('Dashboard', signInUrl), ...row('', 'which signs you in, once, within an hour')];
}

const row = (label: string, text: string): [string] => [`  ${label.padEnd(15)}${text}`];

function workflowUrl(uiUrl: string, namespace: string, sourceId: string): string {
  return `${uiUrl}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(`record/${sourceId}`)}`;
}

function withoutPassword(databaseUrl: string): string {
  const url = URL.parse(databaseUrl);
  if (url === null) return 'DATABASE_URL';
  return `${url.hostname}:${url.port || '5432'}${url.pathname}`;
}
