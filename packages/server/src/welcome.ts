import { relative } from 'node:path'
import type { App } from './app.ts'

/** Returns the message printed after startup: the URLs of the service and the commands for a first upload. */
export function welcome({ url, deps, databaseLocation, firstKeyPath }: App): string {
  const { dataDir, bootstrapKey } = deps.config
  const server = url === 'http://localhost:4400' ? '' : ` --server ${url}`
  const key =
    bootstrapKey !== undefined
      ? 'the value of QUAYSIDE_BOOTSTRAP_KEY'
      : firstKeyPath === undefined
        ? 'one of your existing keys (or start once with QUAYSIDE_BOOTSTRAP_KEY set)'
        : `stored in ${firstKeyPath}`
  const fetchKey =
    bootstrapKey !== undefined
      ? 'export QUAYSIDE_API_KEY="$QUAYSIDE_BOOTSTRAP_KEY"'
      : firstKeyPath === undefined
        ? 'export QUAYSIDE_API_KEY=…'
        : `export QUAYSIDE_API_KEY="$(cat ${relative('.', firstKeyPath) || firstKeyPath})"`
  return `
  Quayside is ready:  ${url}
  API reference:      ${url}/api/v1/docs
  Data:               ${dataDir}${databaseLocation?.startsWith(dataDir) === false ? `, database in ${databaseLocation}` : ''}
  Workspace key:      ${key}

  Your first upload, from another terminal in this folder:

    ${fetchKey}
    npx quayside applications create "My app"${server}
    npx quayside upload ./my-build.zip --application "My app" --version 1.0.0${server}

`
}
