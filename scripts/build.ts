import { buildCliDownload } from './build/cli.ts'
import { buildConsole } from './build/console.ts'
import { buildIfChanged } from './build/if-changed.ts'
import { buildInspection } from './build/inspection.ts'
import { buildServer } from './build/server.ts'

const shared = ['packages/sdk/src/**/*.ts', 'scripts/build/*.ts', 'package-lock.json']

// Builds the console, the program that inspects files, the command line as the single file that the server offers for
// download, and the server as a few files that load faster than its modules. `npm start` and the tests run this first; nothing is built whose
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
await buildIfChanged({
  name: 'the server',
  sources: ['packages/{server,embedded-postgres,sdk}/src/**/*.ts', 'scripts/build/*.ts', 'package-lock.json'],
  output: 'packages/server/bundle',
  build: buildServer,
})
