#!/usr/bin/env node
import { existsSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'

// A compile cache speeds up later starts on Node versions that support it. The cache is stored only in a folder of the
// current user, because another user could replace the compiled code in a shared folder.
const { XDG_CACHE_HOME, LOCALAPPDATA, HOME } = process.env
const cacheFolder = XDG_CACHE_HOME || LOCALAPPDATA || (HOME && join(HOME, '.cache'))
if (cacheFolder) module.enableCompileCache?.(join(cacheFolder, 'quayside'))

// The published package contains only compiled code. In the repository, the CLI and the SDK run from source without a
// build.
const source = new URL('../src/main.ts', import.meta.url)
if (!existsSync(source)) await import('../dist/main.js')
else if (!process.features.typescript) {
  process.stderr.write(
    'quayside: Node 24 is required in the repository. Run `npx @quayside/cli` after `npm ci`.\n',
  )
  process.exitCode = 1
} else {
  module.registerHooks({
    resolve: (specifier, context, nextResolve) =>
      nextResolve(specifier, {
        ...context,
        conditions: ['@quayside/source', ...context.conditions],
      }),
  })
  await import('../src/main.ts')
}
