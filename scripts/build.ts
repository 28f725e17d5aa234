import { buildCliDownload } from './build/cli.ts'
import { buildConsole } from './build/console.ts'
import { buildIfChanged } from './build/if-changed.ts'
import { buildInspection } from './build/inspection.ts'

const shared = ['packages/sdk/src/**/*.ts', 'scripts/build/*.ts', 'package-lock.json']

// Builds what the server does not run from source: the console, the program that inspects files, and the command line as
// the single file that the server offers for download. `npm start` and the tests run this first; nothing is built whose
// sources have not changed.
await buildIfChanged({
  name: 'the console',
  sources: [
    'packages/web/{build,preview,src,public}/**/*',
    'packages/web/{index.html,vite.config.ts,package.json}',
    ...shared,
  ],
  output: 'packages/web/dist',
  build: buildConsole,
})
await buildIfChanged({
  name: 'the command line',
  sources: ['packages/cli/{src/**/*.ts,package.json}', ...shared],
  output: 'packages/cli/download',
  build: buildCliDownload,
})
await buildIfChanged({
  name: 'the inspection',
  sources: ['packages/server/src/{inspection,lib}/**/*.ts', 'scripts/build/*.ts', 'package-lock.json'],
  output: 'packages/server/programs',
  build: buildInspection,
})
