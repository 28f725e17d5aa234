import { readFileSync, writeFileSync } from 'node:fs'
import { openApiDocument } from '../packages/server/src/http/openapi.ts'
import { routes } from '../packages/server/src/routes.ts'
import { version } from '../packages/server/src/version.ts'

// Writes openapi.json from the routes; with --check only says whether the committed one still is what they say.
const path = new URL('../openapi.json', import.meta.url)
const text = `${JSON.stringify(openApiDocument(routes, version), null, 2)}\n`

if (process.argv.includes('--check')) {
  if (readFileSync(path, 'utf8') !== text) {
    console.error('openapi.json is not what the routes say: run `npm run openapi` and commit it.')
    process.exitCode = 1
  }
} else writeFileSync(path, text)
