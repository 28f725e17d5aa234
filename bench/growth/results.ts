import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { type Difference, differences } from './compare-sizes.ts'
import type { SizeResult } from './measure.ts'
import type { NodesResult } from './nodes.ts'
import type { PartitionResult } from './partitions.ts'

export type Measured = {
  sizes: SizeResult[]
  nodes: NodesResult[]
  partitions: PartitionResult[]
}

type RecordedRequest = { where: string; name: string; ms: number; firstMs: number; buffers: number }
type RecordedSize = Omit<SizeResult, 'requests' | 'jobStatements' | 'idleStatements' | 'upload'> & {
  requests: RecordedRequest[]
  upload: { walBytes: number; rowsWritten: Record<string, number>; buffers: number }
}
export type Recorded = {
  cores: number
  sizes: RecordedSize[]
  differences: (Omit<Difference, 'text'> & { statement: string })[]
  nodes: NodesResult[]
  partitions: PartitionResult[]
}

const file = 'bench/results/growth.json'
const shownCharacters = 160

/** Replaces the figures of docs/scaling.md, from which its chart is drawn. They are committed. */
export async function recordResults({ sizes, nodes, partitions }: Measured): Promise<void> {
  const buffersOf = (statements: readonly { buffers: number }[]) =>
    statements.reduce((sum, { buffers }) => sum + buffers, 0)
  const recorded: Recorded = {
    cores: availableParallelism(),
    sizes: sizes.map(({ size, databaseBytes, tables, requests, jobs, upload, upkeep }) => ({
      size,
      databaseBytes,
      tables,
      jobs,
      upkeep,
      requests: requests.map(({ statements, ...request }) => ({
        ...request,
        buffers: buffersOf(statements),
      })),
      upload: {
        walBytes: upload.walBytes,
        rowsWritten: upload.rowsWritten,
        buffers: buffersOf(upload.statements),
      },
    })),
    differences: differences(sizes).map(({ text, ...difference }) => ({
      ...difference,
      statement: text.slice(0, shownCharacters),
    })),
    nodes,
    partitions,
  }
  const root = join(import.meta.dirname, '../..')
  await mkdir(join(root, 'bench/results'), { recursive: true })
  const rounded = (_: string, value: unknown) =>
    typeof value === 'number' ? Number(value.toPrecision(5)) : value
  await writeFile(join(root, file), `${JSON.stringify(recorded, rounded, 1)}\n`)
}

export const readResults = (root: string): Recorded =>
  JSON.parse(readFileSync(join(root, file), 'utf8')) as Recorded
