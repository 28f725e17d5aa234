#!/usr/bin/env node
import { existsSync } from 'node:fs'
import module from 'node:module'

// A compile cache speeds up later starts. Node 20 does not support it.
module.enableCompileCache?.()

// The published package has no source. In the repository, the CLI and the SDK run from source without a build.
const source = new URL('../src/main.ts', import.meta.url)
if (!existsSync(source)) await import('../dist/main.js')
else if (!process.features.typescript) {
  process.stderr.write(
    'quayside: Node 24 is required in the repository. Run `npx quayside` after `npm ci`.\n',
  )
  process.exitCode = 1
} else {
  module.registerHooks({
    resolve: (specifier, context, nextResolve) =>
      nextResolve(specifier, { ...context, conditions: ['@quayside/source', ...context.conditions] }),
  })
  await import('../src/main.ts')
}
