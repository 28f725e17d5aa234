import { setTimeout as sleep } from 'node:timers/promises'
import type { FullBuild } from '@quayside/sdk'
import type { CommandContext } from '../../command-context.ts'
import { Failure } from '../../failure.ts'

export type WaitOptions = {
  wait?: boolean
  /** Duration in seconds. */
  waitTimeout: number
}

const firstDelayMs = 500
const maxDelayMs = 10_000
const noteEveryMs = 30_000

type Processed = { build: FullBuild; pendingProcessing: boolean }

type State = Pick<FullBuild, 'processing' | 'pending_processing' | 'processing_error'>

/**
 * Returns the state of reading the package. Servers of earlier versions do not return `processing`, and read only mobile
 * packages.
 */
export function processingState({ processing, pending_processing, processing_error }: State) {
  if ((processing as string | undefined) !== undefined) return processing
  if (pending_processing) return 'waiting'
  return processing_error === null ? 'done' : 'failed'
}

/** Returns whether the server will read, or is reading, the package. Files of other types are never read. */
export const isProcessing = (build: State): boolean => ['queued', 'waiting'].includes(processingState(build))

/** Polls the build, with increasing delays, until the server has read its package or the timeout is reached. */
export async function waitForProcessing(
  { client, output, signal }: CommandContext,
  uploaded: Processed,
  timeoutSeconds: number,
): Promise<Processed> {
  const { application_id, id: build_id } = uploaded.build
  const deadlineMs = performance.now() + timeoutSeconds * 1000
  const startedMs = performance.now()
  let current = uploaded
  let notedMs = startedMs
  if (isProcessing(current.build)) output.note('Waiting for the server to read the package.')
  for (let delayMs = 0; isProcessing(current.build); delayMs = nextDelayMs(delayMs)) {
    if (performance.now() + delayMs > deadlineMs) return current
    if (performance.now() - notedMs >= noteEveryMs) {
      notedMs = performance.now()
      output.note(`Still waiting, ${Math.round((notedMs - startedMs) / 1000)} s.`)
    }
    await sleep(delayMs, undefined, { signal }).catch(() => {
      throw new Failure(
        'interrupted',
        `Interrupted. The server is still reading the package of build ${build_id}.`,
      )
    })
    const { data: build } = await client().getBuild({ application_id, build_id }, { signal })
    current = { build, pendingProcessing: build.pending_processing }
  }
  return current
}

const nextDelayMs = (delayMs: number): number => Math.min(Math.max(delayMs * 2, firstDelayMs), maxDelayMs)

/** Throws if the server could not read the package of the build or has not finished reading it. */
export function requireProcessed(build: FullBuild): void {
  const { id, processing_error } = build
  if (processingState(build) === 'failed')
    throw new Failure(
      'failed',
      `Build ${id} was uploaded, but the server could not read its package: ${processing_error}`,
    )
  if (isProcessing(build))
    throw new Failure(
      'failed',
      `The server is still reading the package of build ${id}. Use --wait-timeout to wait longer, or check \`quayside builds view ${id}\` later.`,
    )
}
