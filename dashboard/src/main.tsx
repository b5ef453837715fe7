// Entry of the page.
import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import './page.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { router } from './routes.tsx';
import { cssVariables, theme } from './theme.ts';

// The server gives each page a nonce of its own; Mantine's variables stand in a style element that carries it.
const nonce = document.querySelector<HTMLMetaElement>('meta[name=style-nonce]')?.content ?? '';
// Where the library that holds the page still under a window looks for it.
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
      <Notifications position="bottom-right" />
      <RouterProvider router={router} />
    </MantineProvider>
  </StrictMode>,
);
