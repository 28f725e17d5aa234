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

type Processed = { build: FullBuild; pendingProcessing: boolean }

/** Polls the build, with increasing delays, until the server has processed it or the timeout is reached. */
export async function waitForProcessing(
  { client, output, signal }: CommandContext,
  uploaded: Processed,
  timeoutSeconds: number,
): Promise<Processed> {
  const { application_id, id: build_id } = uploaded.build
  const deadlineMs = performance.now() + timeoutSeconds * 1000
  let current = uploaded
  if (current.pendingProcessing) output.note('Waiting for the server to process the build.')
  for (let delayMs = 0; current.pendingProcessing; delayMs = nextDelayMs(delayMs)) {
    if (performance.now() + delayMs > deadlineMs) return current
    await sleep(delayMs, undefined, { signal }).catch(() => {
      throw new Failure('interrupted', `Interrupted. The server is still processing build ${build_id}.`)
    })
    const { data: build } = await client().getBuild({ application_id, build_id }, { signal })
    current = { build, pendingProcessing: build.pending_processing }
  }
  return current
}

const nextDelayMs = (delayMs: number): number => Math.min(Math.max(delayMs * 2, firstDelayMs), maxDelayMs)

/** Throws if the server could not process the build or has not finished processing it. */
export function requireProcessed({ id, processing_error }: FullBuild, pendingProcessing: boolean): void {
  if (processing_error !== null)
    throw new Failure(
      'failed',
      `Build ${id} was uploaded, but the server could not read its metadata: ${processing_error}`,
    )
  if (pendingProcessing)
    throw new Failure(
      'failed',
      `The server is still processing build ${id}. Use --wait-timeout to wait longer, or check \`quayside builds view ${id}\` later.`,
    )
}
