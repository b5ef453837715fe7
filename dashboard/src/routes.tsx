// Every address of the dashboard and its page. Pages load when they are opened.
import { createBrowserRouter, Navigate, type RouteObject } from 'react-router';
import { AnonymousPages } from './layout/anonymous-pages.tsx';
import { ErrorPage } from './layout/error-page.tsx';
import { Shell } from './layout/shell.tsx';
import { SignedInPages } from './layout/signed-in-pages.tsx';

/** A page's module exports `Component`. */
type Load = NonNullable<RouteObject['lazy']>;

const page = (path: string, lazy: Load): RouteObject => ({ path, lazy });

/** The tabs of a record: the same for an anonymous session and an account. */
const recordTabs: RouteObject[] = [
  { index: true, lazy: () => import('./pages/record/overview/overview.tsx') },
  page('changes', () => import('./pages/record/changes/changes.tsx')),
  page('changes/:eventId', () => import('./pages/record/changes/event.tsx')),
  page('data', () => import('./pages/record/data/data.tsx')),
  page('checks', () => import('./pages/record/checks/checks.tsx')),
  page('checks/:checkId', () => import('./pages/record/checks/check.tsx')),
  page('connect', () => import('./pages/record/connect/connect.tsx')),
  page('webhooks', () => import('./pages/record/webhooks/webhooks.tsx')),
  page('webhooks/:webhookId', () => import('./pages/record/webhooks/webhook.tsx')),
  page('settings', () => import('./pages/record/settings/settings.tsx')),
];

const recordPages = (path: string): RouteObject => ({
  path,
  lazy: () => import('./pages/record/record-layout.tsx'),
  children: recordTabs,
});

export const router = createBrowserRouter(
  [
    {
      Component: Shell,
      ErrorBoundary: ErrorPage,
      // Until a page has loaded, only the shell is shown.
      HydrateFallback: () => null,
      children: [
        { index: true, lazy: () => import('./pages/start/start.tsx') },
        { Component: AnonymousPages, children: [recordPages('session')] },
        {
          Component: SignedInPages,
          children: [
            page('records', () => import('./pages/records/records.tsx')),
            page('records/new', () => import('./pages/records/new-record.tsx')),
            page('keep', () => import('./pages/start/keep.tsx')),
            recordPages('records/:ref'),
            page('webhooks', () => import('./pages/webhooks/webhooks.tsx')),
            page('webhooks/:webhookId', () => import('./pages/webhooks/webhook.tsx')),
            page('developer', () => import('./pages/developer/developer.tsx')),
            page('audit-log', () => import('./pages/audit-log/audit-log.tsx')),
            page('account', () => import('./pages/account/account.tsx')),
            page('allow-login', () => import('./pages/allow-login/allow-login.tsx')),
          ],
        },
        page('sign-in', () => import('./pages/sign-in/sign-in.tsx')),
        page('sign-up', () => import('./pages/sign-in/sign-up.tsx')),
        page('forgot-password', () => import('./pages/sign-in/forgot-password.tsx')),
        page('reset-password', () => import('./pages/sign-in/reset-password.tsx')),
        page('account-deleted', () => import('./pages/account/account-deleted.tsx')),
        page('link', () => import('./pages/sign-in/link.tsx')),
        { path: '*', element: <Navigate to="/" replace /> },
      ],
    },
  ],
  { basename: '/dashboard' },
);
