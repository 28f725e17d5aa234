import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline as pipe } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type pg from 'pg'
import { observeChunks } from '../lib/observe-chunks.ts'
import { Problem } from '../lib/problem.ts'
import type { Progress } from '../lib/progress.ts'
import { openCopySession } from './copy-session.ts'
import {
  readDatabaseContent,
  readTable,
  type CountedTable,
  type DatabaseContent,
  type QueueSchema,
  type TableRows,
} from './database-content.ts'
import { observeRows } from './table-progress.ts'
import { findRefusal, targetOf } from './target.ts'

/** A table in a file; `sha256` is the checksum of the compressed file. */
export type DumpedTable = CountedTable & { sha256: string }

export type DatabaseDump = Omit<DatabaseContent, 'tables'> & { tables: DumpedTable[] }

type Options = {
  source: pg.ClientConfig
  /** An existing folder without files. */
  folder: string
  queueSchema: QueueSchema
  onProgress: (progress: Progress) => void
}

/**
 * Writes every table to a compressed file in the text format of COPY, all from one snapshot. The service can keep using
 * the database.
 */
export async function dumpDatabase({
  source,
  folder,
  queueSchema,
  onProgress,
}: Options): Promise<DatabaseDump> {
  const reader = await openCopySession(source)
  try {
    await reader.query('begin isolation level repeatable read read only')
    const content = await readDatabaseContent(reader, queueSchema)
    const tables: DumpedTable[] = []
    for (const table of content.tables)
      tables.push(await dumpTable({ table, rows: readTable(reader, table), folder, onProgress }))
    return { ...content, tables }
  } catch (error) {
    throw findRefusal(error, targetOf(source)) ?? error
  } finally {
    await reader.end()
  }
}

async function dumpTable({
  table,
  rows: { stream, rowCount },
  folder,
  onProgress,
}: Pick<Options, 'folder' | 'onProgress'> & { table: CountedTable; rows: TableRows }): Promise<DumpedTable> {
  const observed = observeRows(table, onProgress)
  const hash = createHash('sha256')
  const hashed = observeChunks((chunk) => hash.update(chunk))
  const file = createWriteStream(pathOf(folder, table), { flags: 'wx', mode: 0o600, flush: true })
  // The fastest compression level already reduces the rows to a fraction of their size.
  await pipeline(stream, observed.stream, createGzip({ level: 1 }), hashed, file)
  observed.complete(rowCount())
  return { ...table, rows: rowCount(), sha256: hash.digest('hex') }
}

/** Throws if a file of the dump is missing or damaged. */
export async function verifyDump(folder: string, { tables }: DatabaseDump): Promise<void> {
  for (const table of tables) {
    const path = pathOf(folder, table)
    const hash = createHash('sha256')
    await pipeline(createReadStream(path), hash)
    if (hash.digest('hex') !== table.sha256)
      throw new Problem('conflict', 'backup.damaged', `${path} is damaged. Use another backup.`)
  }
}

/** Returns the rows of a table in a dump. */
export function openDumpedTable(folder: string, table: DumpedTable): TableRows {
  const stream = createGunzip()
  // An error also destroys `stream`, which reports the error to its reader.
  pipe(createReadStream(pathOf(folder, table)), stream, () => {})
  return { stream, rowCount: () => table.rows }
}

/** Returns the path of a table's file. A name that requires quotes in SQL can contain a slash. */
const pathOf = (folder: string, { name }: CountedTable): string =>
  join(folder, `${encodeURIComponent(name)}.copy.gz`)
