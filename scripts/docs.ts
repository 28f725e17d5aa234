import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApiDocument } from '../packages/server/src/http/openapi.ts'
import { routes } from '../packages/server/src/routes.ts'
import { version } from '../packages/server/src/version.ts'
import { contractPage } from './docs/contract-page.ts'
import { endpointsPage } from './docs/endpoints-page.ts'

// Writes docs/endpoints.md and docs/contract.md; with --check only says whether they are what the code says.
const root = join(import.meta.dirname, '..')
const isCheck = process.argv.includes('--check')
const contract = contractPage(root)
const pages = {
  'docs/endpoints.md': endpointsPage(openApiDocument(routes, version)),
  'docs/contract.md': contract.text,
}

const faults = [...contract.faults]
for (const [path, text] of Object.entries(pages)) {
  if (!isCheck) writeFileSync(join(root, path), text)
  else if (readFileSync(join(root, path), 'utf8') !== text)
    faults.push(`${path} is not what the code says: run \`npm run docs\` and commit it.`)
}
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
