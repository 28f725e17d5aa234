import type { Transform } from 'node:stream'
import { observeChunks } from '../../lib/observe-chunks.ts'
import type { Progress } from '../../lib/progress.ts'
import type { CountedTable } from './database-content.ts'

const lineFeed = 0x0a

/**
 * Creates a stream that reports the rows of a table in the text format of COPY, in which each row is a line. Call
 * `complete` after the last one.
 */
export function observeRows(
  { name, rows: total }: CountedTable,
  onProgress: (progress: Progress) => void,
): { stream: Transform; complete: (rows: number) => void } {
  let [done, doneBytes] = [0, 0]
  const stream = observeChunks((chunk) => {
    doneBytes += chunk.length
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, at + 1)) done += 1
    onProgress({ step: name, unit: 'rows', done, total, doneBytes, isComplete: false })
  })
  const complete = (rows: number) =>
    onProgress({ step: name, unit: 'rows', done: rows, total: rows, doneBytes, isComplete: true })
  return { stream, complete }
}
