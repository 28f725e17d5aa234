import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { readMigrations } from '../packages/server/src/database/schema/migration-files.ts'

// Released migrations must not change: a server refuses to start if a migration has changed since it was applied to the
// database. The baseline has counted as released since it was committed, because databases of clones have recorded it.
const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '../packages/server/migrations'))
const released = JSON.parse(await readFile(join(folder, 'released.json'), 'utf8')) as Record<string, string>
const current = new Map((await readMigrations(folder)).map(({ name, sha256 }) => [name, sha256]))
for (const [name, sha256] of Object.entries(released)) {
  if (current.get(name) === sha256) continue
  const fault = current.has(name) ? 'changed' : 'missing'
  console.error(`${name} is released but ${fault}. Restore it and add a new migration instead.`)
  process.exitCode = 1
}
