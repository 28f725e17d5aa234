import type { Logger } from 'pino'
import { comparisonProgram } from '../../config/package-files.ts'
import { limitConcurrency, limitConcurrencyByName } from '../../lib/concurrency.ts'
import { problem } from '../../lib/problem.ts'
import type { ByteSource } from '../inspection.ts'
import type { Task } from '../parent-source.ts'
import type { Limits, Program } from '../sandbox.ts'
import { InspectionAborted, withSandboxedProcess } from '../sandboxed-process.ts'
import { createIsolationCheck, serveProcess } from '../serve-process.ts'
import {
  changeKinds,
  checkedComparison,
  type ComparisonResult,
  type EntryQuery,
} from './comparison-schema.ts'

/** The first message to the process: which sources are the files and their chunk indexes, and the selection of entries. */
export type ComparisonTask = Task & {
  before: number | null
  after: number | null
  beforeIndex: number | null
  afterIndex: number | null
  query: EntryQuery
}

/** A file with its chunk index. The bytes that a key names never change. */
type ComparedFile = {
  key: string
  source: ByteSource
  index: { key: string; source: ByteSource } | undefined
}

type Comparison = {
  /** The earlier file, and the one that is compared with it. A missing file counts as one without entries. */
  before: ComparedFile | undefined
  after: ComparedFile | undefined
  query: EntryQuery
  /** Comparisons of one owner run one after another. */
  owner: string
}

export type Comparer = {
  /**
   * Compares the entries of two files in a sandboxed process. The most recent results are kept. Throws the errors of the
   * sources, and `comparisonBusy` if too many comparisons are waiting.
   */
  compare(comparison: Comparison): Promise<ComparisonResult>
}

export const comparisonBusy = problem(
  'unavailable',
  'comparison.busy',
  'The server is comparing other builds. Try again shortly.',
  { retryAfterSeconds: 5 },
)

type Options = { log: Logger; program?: Program; limits?: Limits }

const defaultLimits: Limits = { cpuSeconds: 20, wallSeconds: 45, memoryBytes: 512 * 1024 * 1024 }
const maxServedBytes = 2 * 1024 * 1024 * 1024
const maxWaitMs = 30_000
/** A page is cut from a block of entries, so that reading the next pages does not read the archives again. */
const maxBlockEntries = 1000
/** Each character takes up to two bytes. */
const maxKeptCharacters = 8 * 1024 * 1024

/** Creates a comparer, which runs one process at a time. */
export function createComparer({
  log,
  program = { entry: comparisonProgram, reads: [] },
  limits = defaultLimits,
}: Options): Comparer {
  const isolates = createIsolationCheck(log)
  const slot = limitConcurrency(1, { maxWaiting: 32, maxWaitMs, refuse: comparisonBusy })
  const slotOf = limitConcurrencyByName(1, { maxWaiting: 8, maxWaitMs, refuse: comparisonBusy })
  const kept = createKeptResults()
  return {
    async compare({ before, after, query, owner }) {
      const pages = Math.floor(maxBlockEntries / Math.max(query.limit, 1))
      const limit = pages * Math.max(query.limit, 1)
      const start = query.offset - (query.offset % limit)
      const block = { ...query, offset: start, limit }
      const files = JSON.stringify([before, after].map((file) => [file?.key, file?.index?.key]))
      const result = await kept(files, JSON.stringify(block), () =>
        slotOf(owner, () => slot(() => run(before, after, block))),
      )
      const from = query.offset - start
      return { ...result, entries: result.entries.slice(from, from + query.limit) }
    },
  }

  async function run(
    before: ComparedFile | undefined,
    after: ComparedFile | undefined,
    query: EntryQuery,
  ): Promise<ComparisonResult> {
    const isolatesNetwork = await isolates()
    const sources: ByteSource[] = []
    const add = (source: ByteSource | undefined) => (source === undefined ? null : sources.push(source) - 1)
    const files = { before: add(before?.source), after: add(after?.source) }
    const indexes = { beforeIndex: add(before?.index?.source), afterIndex: add(after?.index?.source) }
    const sourceBytes = sources.map(({ sizeBytes }) => sizeBytes)
    const task: ComparisonTask = { sourceBytes, ...files, ...indexes, query }
    const resultOf = (message: object) =>
      'comparison' in message ? checkedComparison(message.comparison, query) : undefined
    // The limits end the process.
    const { signal } = new AbortController()
    return withSandboxedProcess({ program, limits, isolatesNetwork, signal }, (child) =>
      serveProcess(child, { sources, task, resultOf, maxServedBytes, log }),
    ).catch((error: unknown) => {
      if (!(error instanceof InspectionAborted)) throw error
      return failed(error.reason)
    })
  }
}

const failed = (message: string): ComparisonResult => ({
  unreadable: { code: 'failed', build: 'after', message },
  totals: null,
  shared_bytes: null,
  total: 0,
  entries: [],
})

/** Whether no entry can be selected, whatever the filters are. */
const hasNoChanges = ({ totals }: ComparisonResult): boolean =>
  totals === null || changeKinds.every((kind) => totals[kind].entry_count === 0)

type Kept = { result: Promise<ComparisonResult>; characters: number }

/**
 * Keeps the most recent results as promises, so that equal requests at the same time start one process. Files without
 * changes have the same result for each selection of entries: other selections wait for the first comparison of the
 * files, which costs no time because the comparisons of an owner run one after another.
 */
function createKeptResults() {
  const kept = new Map<string, Kept>()
  const firsts = new Map<string, Promise<unknown>>()
  return async (
    files: string,
    selection: string,
    compare: () => Promise<ComparisonResult>,
  ): Promise<ComparisonResult> => {
    const selected = `${files} ${selection}`
    if (!kept.has(selected)) await firsts.get(files)
    const key = kept.has(files) ? files : selected
    const found = kept.get(key)
    kept.delete(key)
    const entry = found ?? { result: compare(), characters: 0 }
    kept.set(key, entry)
    if (found !== undefined) return found.result
    const forget = () => kept.get(key) === entry && kept.delete(key)
    const settled = entry.result.then((result) => {
      entry.characters = charactersOf(result)
      // A process can have failed because the machine was busy.
      if (result.unreadable?.code === 'failed') forget()
      else if (hasNoChanges(result)) kept.set(files, entry)
      forgetOldest(kept)
    }, forget)
    if (!firsts.has(files)) {
      firsts.set(files, settled)
      void settled.finally(() => firsts.delete(files))
    }
    return entry.result
  }
}

function forgetOldest(kept: Map<string, Kept>): void {
  let characters = [...kept.values()].reduce((sum, entry) => sum + entry.characters, 0)
  for (const [key, entry] of kept) {
    if (characters <= maxKeptCharacters) return
    kept.delete(key)
    characters -= entry.characters
  }
}

/** The fields of an entry besides its paths take about as much memory as 300 characters. */
const charactersOf = ({ entries }: ComparisonResult): number =>
  entries.reduce((sum, { path, previous_path: old }) => sum + 300 + path.length + (old?.length ?? 0), 1000)
