import type { Finding } from './check-layers.ts'
import { isTest } from './import-rules.ts'
import type { Source } from './source.ts'
import { tableOwners } from './table-owners.ts'

const server = 'packages/server/src/'
const readers = new Set(['selectFrom'])
const writers = new Set(['insertInto', 'updateTable', 'deleteFrom', 'mergeInto', 'replaceInto'])
const statement =
  /\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate(?:\s+table)?)\s+(?:only\s+)?"?([a-z_]+)"?/gi

/** Returns SQL outside *.db.ts files, and writes to tables that another folder owns. */
export function tableFindings(source: Source): Finding[] {
  const { path } = source
  if (!path.startsWith(server) || isTest(path) || path.startsWith(`${server}database/`)) return []
  const found = (line: number, message: string) => ({ path, line, message })

  if (!path.endsWith('.db.ts')) {
    return [
      ...source.calls
        .filter(({ method }) => readers.has(method) || writers.has(method))
        .map(({ line, method }) => found(line, `${method}: SQL belongs in *.db.ts files`)),
      ...source.imports
        .filter(({ target, kind }) => kind !== 'type' && /^(kysely|pg)$/.test(target ?? ''))
        .filter(() => !path.startsWith(`${server}jobs/`))
        .map(({ line, target }) => found(line, `${target}: SQL belongs in *.db.ts files`)),
    ]
  }

  const writes = source.calls.filter(({ method }) => writers.has(method))
  const findings: Finding[] = []
  for (const { method, firstArgument, line } of writes) {
    if (firstArgument === undefined)
      findings.push(found(line, `${method} needs a literal table name, so that its owner can be checked`))
    for (const table of [firstArgument ?? []].flat().map(withoutAlias)) {
      const message = writeObjection(path, table)
      if (message !== undefined) findings.push(found(line, message))
    }
  }
  for (const { text, line } of source.literals) {
    for (const [, table = ''] of text.matchAll(statement)) {
      const message = table in tableOwners ? writeObjection(path, table) : undefined
      if (message !== undefined) findings.push(found(line, message))
    }
  }
  return findings
}

function writeObjection(path: string, table: string): string | undefined {
  const owner = tableOwners[table]
  if (owner === undefined)
    return `the table ${table} has no owner: add its folder to scripts/layers/table-owners.ts`
  if (path.startsWith(`${server}${owner}/`)) return undefined
  return `only ${owner} may write the table ${table}`
}

/** Removes the alias and the schema: `builds as b` and `public.builds` become `builds`. */
function withoutAlias(table: string): string {
  return table.replace(/\s+as\s+.*$/i, '').replace(/^public\./, '')
}
