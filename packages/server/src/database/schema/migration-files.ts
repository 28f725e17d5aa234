import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../../lib/problem.ts'

export type Migration = { number: number; name: string; sql: string; sha256: string }

export type AppliedMigration = Pick<Migration, 'number' | 'name' | 'sha256'>

/**
 * Reads the migrations (`NNNN-what-it-does.sql`) in order. Normalizes line endings, because git may have converted
 * them.
 */
export async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort()
  const migrations = await Promise.all(
    names.map(async (name) => {
      if (!/^\d{4}-[a-z0-9-]+\.sql$/.test(name))
        throw new Error(`Migration ${name} must be named like 0001-what-it-does.sql.`)
      const sql = (await readFile(join(directory, name), 'utf8')).replaceAll('\r\n', '\n')
      return {
        number: Number(name.slice(0, 4)),
        name,
        sql,
        sha256: createHash('sha256').update(sql).digest('hex'),
      }
    }),
  )
  for (const [index, { number, name }] of migrations.entries()) {
    if (migrations[index - 1]?.number === number)
      throw new Error(`Two migrations have the number of ${name}. Give one of them the next number.`)
  }
  return migrations
}

/** Returns the migrations that have not been applied yet. Throws if the applied migrations do not match the files. */
export function pendingMigrations(files: Migration[], applied: AppliedMigration[]): Migration[] {
  const byNumber = new Map(files.map((file) => [file.number, file]))
  for (const { number, name, sha256 } of applied) {
    const file = byNumber.get(number)
    if (file === undefined)
      throw new Problem(
        'conflict',
        'migration.unknown',
        `The database has migration ${name}, which this version does not include. Start the version that was used last, or a newer one.`,
      )
    if (file.sha256 !== sha256)
      throw new Problem(
        'conflict',
        'migration.changed',
        `Migration ${file.name} differs from what was applied to the database as ${name}. Start an unmodified version. If you changed the file yourself, restore it and add a new migration.`,
      )
  }
  const last = Math.max(0, ...applied.map(({ number }) => number))
  const appliedNumbers = new Set(applied.map(({ number }) => number))
  const pending = files.filter(({ number }) => !appliedNumbers.has(number))
  const late = pending.find(({ number }) => number < last)
  if (late !== undefined)
    throw new Error(
      `Migration ${late.name} comes before ${last}, which has been applied. Give it the next number.`,
    )
  return pending
}
