import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { version } from '../../config/version.ts'
import { type Problem, problem } from '../../lib/problem.ts'

export type Migration = {
  number: number
  name: string
  sql: string
  sha256: string
  /** What a baseline replaces: the migrations up to `last`, with a checksum of their names and checksums. */
  replaces: { last: string; sha256: string } | undefined
}

export type AppliedMigration = Pick<Migration, 'number' | 'name' | 'sha256'> & {
  /** The version that applied it. Older versions and their backups do not have it. */
  server_version?: string | null
}

/** Selects `AppliedMigration`. The column is missing in databases of versions that did not record theirs. */
export const appliedMigrationsQuery = `
  select number, name, sha256, to_jsonb(applied) ->> 'server_version' as server_version
  from schema_migrations as applied order by number`

const replacement = /^-- Replaces the migrations up to (\d{4}-[a-z0-9-]+\.sql), sha256 ([0-9a-f]{64})\.\n/

/**
 * Reads the migrations (`NNNN-what-it-does.sql`) in order. Normalizes line endings, because git may have converted
 * them. The first one can be a baseline, whose first line names the migrations that it replaces.
 */
export async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort()
  const migrations = await Promise.all(
    names.map(async (name) => {
      if (!/^\d{4}-[a-z0-9-]+\.sql$/.test(name))
        throw new Error(`Migration ${name} must be named like 0001-what-it-does.sql.`)
      const sql = (await readFile(join(directory, name), 'utf8')).replaceAll('\r\n', '\n')
      const [, last, sha256] = replacement.exec(sql) ?? []
      return {
        number: numberOf(name),
        name,
        sql,
        sha256: createHash('sha256').update(sql).digest('hex'),
        replaces: last === undefined || sha256 === undefined ? undefined : { last, sha256 },
      }
    }),
  )
  for (const [index, { number, name, replaces }] of migrations.entries()) {
    if (migrations[index - 1]?.number === number)
      throw new Error(`Two migrations have the number of ${name}. Give one of them the next number.`)
    if (replaces !== undefined && (index > 0 || numberOf(replaces.last) >= number))
      throw new Error(`Baseline ${name} must come after ${replaces.last} and before all other migrations.`)
  }
  return migrations
}

const numberOf = (name: string): number => Number(name.slice(0, 4))

/**
 * Returns whether the file is a baseline and exactly the migrations that it replaces have been applied, in this order.
 * The database then has the schema that the file creates.
 */
export const isSatisfied = ({ replaces }: Migration, applied: AppliedMigration[]): boolean =>
  replaces !== undefined && replaces.sha256 === checksumOf(applied)

function checksumOf(applied: AppliedMigration[]): string {
  const hash = createHash('sha256')
  for (const { name, sha256 } of applied) hash.update(`${name} ${sha256}\n`)
  return hash.digest('hex')
}

/**
 * Returns the migrations that have not been applied yet. A baseline is pending until it has been recorded instead of the
 * migrations that it replaces. Throws if the applied migrations do not match the files.
 */
export function pendingMigrations(files: Migration[], applied: AppliedMigration[]): Migration[] {
  const [first] = files
  if (first !== undefined && isSatisfied(first, applied)) return files
  const byNumber = new Map(files.map((file) => [file.number, file]))
  for (const { number, name, sha256, server_version } of applied) {
    if (first?.replaces !== undefined && number < first.number) throw unsatisfied(first, applied)
    const file = byNumber.get(number)
    if (file === undefined) throw unknownMigration(name, server_version ?? undefined)
    if (file.sha256 !== sha256) throw migrationChanged({ name: file.name, applied: name })
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

function unsatisfied({ name, replaces }: Migration, applied: AppliedMigration[]): Problem {
  const last = replaces?.last ?? ''
  if (applied.some((migration) => migration.name === last)) return replacedChanged({ name, last })
  return tooOld({ name, last, applied: applied.at(-1)?.name ?? '' })
}

const unknownMigration = (name: string, newer: string | undefined): Problem =>
  newer === undefined ? unknownVersion({ name }) : newerVersion({ name, newer, version })

const goBack =
  'To go back to this version, restore a backup that was made before the upgrade (docs/upgrading.md).'

const newerVersion = problem(
  'conflict',
  'migration.unknown',
  `The database was updated by version {newer} (migration {name}), and this is version {version}. Start version {newer} or a newer one. ${goBack}`,
)

const unknownVersion = problem(
  'conflict',
  'migration.unknown',
  `The database has migration {name}, which this version does not include. Start the version that was used last, or a newer one. ${goBack}`,
)

const migrationChanged = problem(
  'conflict',
  'migration.changed',
  'Migration {name} differs from what was applied to the database as {applied}. Start an unmodified version. If you changed the file yourself, restore it and add a new migration.',
)

const replacedChanged = problem(
  'conflict',
  'migration.changed',
  'The migrations up to {last} in the database differ from those that {name} replaces. Start the version that was used last.',
)

const tooOld = problem(
  'conflict',
  'migration.too_old',
  'The database has the migrations up to {applied}, but {name} replaces those up to {last}. Start a version that includes {last} first, and then this version.',
)
