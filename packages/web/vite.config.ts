import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { chunkGroups } from './build/chunks.ts'
import { firstLoadManifest } from './build/first-load-manifest.ts'
import { versionFile } from './build/version-file.ts'

// `npm run dev` sets this to the URL of the service, to which the development server forwards requests.
const service = process.env['QUAYSIDE_DEV_SERVICE'] ?? 'http://127.0.0.1:4400'
const servicePaths = ['/api', '/storage', '/docs', '/cli', '/s/', '/g/']

export default defineConfig({
  // Relative URLs, because the service may run below a path. The served page has a base element.
  base: './',
  root: import.meta.dirname,
  plugins: [
    react(),
    firstLoadManifest(),
    versionFile(),
    {
      name: 'base-element',
      apply: 'serve',
      // In production, the service adds the element with its own path.
      transformIndexHtml: () => [{ tag: 'base', attrs: { href: '/' }, injectTo: 'head-prepend' }],
    },
  ],
  resolve: { conditions: ['@quayside/source'] },
  html: { cspNonce: 'CSP_NONCE' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'baseline-widely-available',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // One file of 55 KB (gzip) loads faster than up to 18 files, and the preview of every page has its styles.
    cssCodeSplit: false,
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: chunkGroups },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(servicePaths.map((path) => [path, { target: service, ws: false }])),
  },
})
