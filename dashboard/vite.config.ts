// How the dashboard becomes static files: what the API serves under /dashboard/.
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compression } from 'vite-plugin-compression2';

export default defineConfig({
  base: '/dashboard/',
  plugins: [
    react(),
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
