import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** `npm run console:dev` serves sources with hot reloading, and passes API calls to a service on port 3000. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react()],
  build: {
    target: 'es2022',
    outDir: '../dist/console',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    // A file in the script would be a data: address, which the Content-Security-Policy of fonts and scripts refuses.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
  },
  server: { proxy: { '/api': 'http://127.0.0.1:3000' } },
});
