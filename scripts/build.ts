import { buildCliDownload } from './build/cli.ts'
import { buildConsole } from './build/console.ts'
import { buildIfChanged } from './build/if-changed.ts'
import { buildPrograms } from './build/programs.ts'
import { buildServer } from './build/server.ts'

const shared = ['packages/sdk/src/**/*.ts', 'scripts/build/*.ts', 'package-lock.json']

// Builds the console, the programs that the server starts, the command line as the single file that the server offers for
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
  name: 'the programs',
  sources: ['packages/server/src/{inspection,lib,features/builds/chunks}/**/*.ts', ...shared],
  output: 'packages/server/programs',
  build: buildPrograms,
})
await buildIfChanged({
  name: 'the server',
  sources: ['packages/{server,embedded-postgres,sdk}/src/**/*.ts', 'scripts/build/*.ts', 'package-lock.json'],
  output: 'packages/server/bundle',
  build: buildServer,
})
