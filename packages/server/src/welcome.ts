import { relative } from 'node:path'
import type { App } from './app.ts'

/** What a person reads after the start: where it is, and the shortest way to a first upload. */
export function welcome({ url, deps, databaseLocation, firstKey }: App): string {
  const { dataDir, bootstrapKey } = deps.config
  const server = url === 'http://localhost:4400' ? '' : ` --server ${url}`
  const key =
    bootstrapKey !== undefined
      ? 'the value of QUAYSIDE_BOOTSTRAP_KEY'
      : firstKey === undefined
        ? 'a key of yours (or start once with QUAYSIDE_BOOTSTRAP_KEY set)'
        : `kept in ${firstKey}`
  const fetchKey =
    bootstrapKey !== undefined
      ? 'export QUAYSIDE_API_KEY="$QUAYSIDE_BOOTSTRAP_KEY"'
      : firstKey === undefined
        ? 'export QUAYSIDE_API_KEY=…'
        : `export QUAYSIDE_API_KEY="$(cat ${relative('.', firstKey) || firstKey})"`
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
