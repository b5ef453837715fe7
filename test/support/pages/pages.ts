// Every page of the dashboard, with its address and an element that shows that its main content has loaded.
import type { Locator, Page } from 'playwright-core';
import type { PagesWorld } from './pages-world.ts';

export interface DashboardPage {
  /** Also the name of its screenshots. */
  name: string;
  /** The viewer: a user of the account, the holder of an anonymous session, or anybody. */
  as: 'owner' | 'session' | 'anybody';
  /** After `/dashboard/`. */
  path: (world: PagesWorld) => string;
  /** Appears with the main content. Other parts of the page may load later. */
  main: (page: Page) => Locator;
}

const heading =
  (name: string) =>
  (page: Page): Locator =>
    page.getByRole('heading', { name, exact: true });
const table = (name: string) => (page: Page) =>
  page.getByRole('table', { name, exact: true }).getByRole('row').nth(1);
const list = (name: string) => (page: Page) =>
  page.getByRole('list', { name, exact: true }).getByRole('listitem').first();
const button = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true });

const of =
  (as: DashboardPage['as']) =>
  (name: string, path: DashboardPage['path'] | string, main: DashboardPage['main']): DashboardPage => ({
    name,
    as,
    path: typeof path === 'string' ? () => path : path,
    main,
  });
const anybody = of('anybody');
const session = of('session');
const owner = of('owner');

export const PAGES: readonly DashboardPage[] = [
  anybody('start', '', button('Watch it')),
  anybody('sign-in', 'sign-in', button('Sign in')),
  anybody('sign-up', 'sign-up', button('Sign up')),
  anybody('forgot-password', 'forgot-password', heading('Forgot password?')),
  anybody('reset-password', 'reset-password#none', button('Set password')),
  anybody('link', 'link', heading('This link is incomplete')),
  anybody('link-sign-in', ({ signInToken }) => `link#${signInToken}`, button('Sign in')),
  anybody('link-sign-up', ({ signUpToken }) => `link#${signUpToken}`, button('Create account')),
  anybody('account-deleted', 'account-deleted', heading('Your account is deleted')),
  session('session-start', '', (page) => page.getByRole('region', { name: 'Your record' })),
  session('session-overview', 'session', table('The first rows')),
  session('session-connect', 'session/connect', heading('MCP')),
  session('session-webhooks', 'session/webhooks', (page) => page.getByRole('note')),
  session('session-settings', 'session/settings', heading('Schedule')),
  owner('records', 'records', table('Records')),
  owner('new-record', 'records/new', heading('New record')),
  owner('keep', 'keep', heading('Keep your record')),
  owner('overview', 'records/licences', list('Delta events')),
  owner('overview-failing', 'records/prices', (page) => page.getByRole('region', { name: 'At a glance' })),
  owner('changes', 'records/licences/changes', list('Delta events')),
  owner(
    'event',
    ({ eventId }) => `records/licences/changes/${eventId}?type=changed`,
    table('Rows of the event'),
  ),
  owner('event-schema', ({ schemaEventId: id }) => `records/rates/changes/${id}`, table('Rows of the event')),
  owner('data', 'records/licences/data', table('Rows')),
  owner('row', 'records/licences/data?row=MIT', (page) => page.getByRole('dialog', { name: 'Row MIT' })),
  owner('profile', 'records/licences/data?view=profile', list('Columns')),
  owner('compare', 'records/licences/data?view=compare', table('Rows that differ')),
  owner('checks', 'records/licences/checks', table('Checks')),
  owner('check', ({ oddCheckId }) => `records/licences/checks/${oddCheckId}`, heading('Warnings')),
  owner('check-held', ({ heldCheckId }) => `records/stations/checks/${heldCheckId}`, heading('Held changes')),
  owner('connect', 'records/licences/connect', table('API keys')),
  owner('webhooks', 'records/licences/webhooks', table('Webhooks')),
  owner('webhook', ({ failingWebhookId: id }) => `records/licences/webhooks/${id}`, table('Deliveries')),
  owner(
    'delivery',
    ({ failingWebhookId, failedDeliveryId }) =>
      `records/licences/webhooks/${failingWebhookId}?delivery=${failedDeliveryId}`,
    (page) => page.getByRole('dialog', { name: 'Delivery' }),
  ),
  owner('settings', 'records/licences/settings', heading('Schedule')),
  owner('account-webhooks', 'webhooks', table('Webhooks')),
  owner('account-webhook', ({ accountWebhookId: id }) => `webhooks/${id}`, table('Deliveries')),
  owner('developer', 'developer', table('API keys')),
  owner('audit-log', 'audit-log', table('Audit log')),
  owner('account', 'account', list('Sessions')),
  owner('allow-login', ({ userCode }) => `allow-login?code=${userCode}`, button('Allow')),
  owner('allow-login-code', 'allow-login', button('Continue')),
];
