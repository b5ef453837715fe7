// How the dashboard becomes static files: what the API serves under /dashboard/.
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { compression } from 'vite-plugin-compression2';

/**
 * Keeps Mantine's ScrollArea, and Floating UI with it, out of pages that only open a dialog: 16 kB.
 * Mantine's dialogs import it to ask whether `scrollAreaComponent` is it. Ours never set that property.
 */
const dialogsWithoutScrollArea: Plugin = {
  name: 'dialogs-without-scroll-area',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source === '../ScrollArea/ScrollArea.mjs' && /\/(Drawer|Modal)Root\.mjs$/.test(importer ?? '')
      ? '\0no-scroll-area'
      : null,
  load: (id) =>
    id === '\0no-scroll-area' ? `export const ScrollArea = { Autosize: Symbol('never given') };` : null,
};

export default defineConfig({
  base: '/dashboard/',
  plugins: [
    react(),
    dialogsWithoutScrollArea,
    // Compressed once, here, so that the API sends files and spends nothing on them.
    compression({ algorithms: ['brotliCompress', 'gzip'], exclude: [/\.(png|woff2)$/, /index\.html$/] }),
  ],
  build: {
    // Nothing inline: the content security policy allows files of our own and nothing else.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
    sourcemap: false,
  },
  // Under `npm run dev`: all but the dashboard's own files comes from the API.
  server: {
    proxy: {
      '^/(?!dashboard(/|$))|^/dashboard/settings\\.json': process.env['API_URL'] ?? 'http://127.0.0.1:8080',
    },
  },
});
