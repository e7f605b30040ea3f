import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The library of charts, and what is loaded with it alone. */
const CHARTS =
  /node_modules\/(?:echarts|zrender|tslib|topojson|world-atlas|dayjs|@mantine\/dates)\/|src\/plots\/(?:chart|echarts|world|world-chart|natural-earth|antimeridian|custom-range)\.tsx?$/;

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
    rolldownOptions: {
      output: {
        // The start of the console and its first page are one script; what other pages share is a second one.
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'], priority: 2 },
            { name: 'shared', minShareCount: 3, test: (id) => !CHARTS.test(id) },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:3000' } },
});
