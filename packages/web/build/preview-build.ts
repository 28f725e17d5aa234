import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import type { InlineConfig } from 'vite'

const web = join(import.meta.dirname, '..')

/** Returns how to build the script of the thread with which the server draws pages before their scripts run. */
export const previewBuild = (outDir: string): InlineConfig => ({
  root: web,
  configFile: false,
  plugins: [
    react(),
    {
      name: 'preview-browser',
      enforce: 'pre',
      async resolveId(source, importer) {
        if (!source.endsWith('/browser.ts')) return null
        const found = await this.resolve(source, importer, { skipSelf: true })
        return found?.id === join(web, 'src/api/browser.ts') ? join(web, 'preview/browser.ts') : found
      },
    },
  ],
  resolve: { conditions: ['@quayside/source'] },
  // Without it, the script contains both builds of React and runs the slower one unless the server's environment says
  // otherwise.
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  // The script must run without the packages of the console.
  ssr: { noExternal: true, resolve: { conditions: ['@quayside/source', 'node', 'module'] } },
  logLevel: 'warn',
  build: {
    ssr: join(web, 'preview/thread.ts'),
    outDir,
    emptyOutDir: true,
    copyPublicDir: false,
    target: 'node24',
    minify: true,
    rolldownOptions: {
      output: { codeSplitting: false, entryFileNames: 'preview-[hash].mjs' },
    },
  },
})
