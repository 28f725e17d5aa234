import { createHash } from 'node:crypto'
import { pipeline as pipe, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type pg from 'pg'
import { observeChunks } from '../../lib/observe-chunks.ts'
import { problem } from '../../lib/problem.ts'
import type { Progress } from '../../lib/progress.ts'
import { findRefusal, targetOf } from '../target.ts'
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

/** A table in a file; `sha256` is the checksum of the compressed file. */
export type DumpedTable = CountedTable & { sha256: string }

export type DatabaseDump = Omit<DatabaseContent, 'tables'> & { tables: DumpedTable[] }

export type SaveFile = (name: string, chunks: AsyncIterable<Uint8Array>) => Promise<void>

/** Returns the content of a file. The stream fails if the file is missing. */
export type OpenFile = (name: string) => Readable

type Options = {
  source: pg.ClientConfig
  /** Stores a file. The file is durable when the promise resolves. */
  save: SaveFile
  queueSchema: QueueSchema
  onProgress: (progress: Progress) => void
}

/**
 * Writes every table to a compressed file in the text format of COPY, all from one snapshot. The service can keep using
 * the database.
 */
export async function dumpDatabase({
  source,
  save,
  queueSchema,
  onProgress,
}: Options): Promise<DatabaseDump> {
  const reader = await openCopySession(source)
  try {
    await reader.query('begin isolation level repeatable read read only')
    const content = await readDatabaseContent(reader, queueSchema)
    const tables: DumpedTable[] = []
    for (const table of content.tables)
      tables.push(await dumpTable({ table, rows: readTable(reader, table), save, onProgress }))
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
  save,
  onProgress,
}: Pick<Options, 'save' | 'onProgress'> & { table: CountedTable; rows: TableRows }): Promise<DumpedTable> {
  const observed = observeRows(table, onProgress)
  const hash = createHash('sha256')
  const hashed = observeChunks((chunk) => hash.update(chunk))
  // The fastest compression level already reduces the rows to a fraction of their size.
  await pipeline(
    stream,
    observed.stream,
    createGzip({ level: 1 }),
    hashed,
    (chunks: AsyncIterable<Uint8Array>) => save(fileOf(table), chunks),
  )
  observed.complete(rowCount())
  return { ...table, rows: rowCount(), sha256: hash.digest('hex') }
}

/** Throws if a file of the dump is missing or damaged. */
export async function verifyDump(open: OpenFile, { tables }: DatabaseDump): Promise<void> {
  for (const table of tables) {
    const hash = createHash('sha256')
    await pipeline(open(fileOf(table)), hash)
    if (hash.digest('hex') !== table.sha256) throw fileDamaged({ file: fileOf(table) })
  }
}

const fileDamaged = problem('conflict', 'backup.damaged', 'The file {file} is damaged. Use another backup.')

/** Returns the rows of a table in a dump. */
export function openDumpedTable(open: OpenFile, table: DumpedTable): TableRows {
  const stream = createGunzip()
  // An error also destroys `stream`, which reports the error to its reader.
  pipe(open(fileOf(table)), stream, () => {})
  return { stream, rowCount: () => table.rows }
}

/** Returns the name of a table's file. A name that requires quotes in SQL can contain a slash. */
const fileOf = ({ name }: CountedTable): string => `${encodeURIComponent(name)}.copy.gz`
