// The entry point of the page.
import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import './page.css';
import { MantineProvider } from '@mantine/core';
import { Notices } from './layout/notices.tsx';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { router } from './routes.tsx';
import { cssVariables, theme } from './theme.ts';

// The server gives each page its own nonce. Mantine's style element with the theme's variables carries it.
const nonce = document.querySelector<HTMLMetaElement>('meta[name=style-nonce]')?.content ?? '';
// The library that locks scrolling behind a dialog looks for the nonce here.
Object.assign(globalThis, { __webpack_nonce__: nonce });
const root = document.querySelector('#root');
if (root === null) throw new Error('index.html has no #root');

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <Notices />
      <RouterProvider router={router} />
    </MantineProvider>
  </StrictMode>,
);
