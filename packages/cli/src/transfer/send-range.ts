import { setTimeout as sleep } from 'node:timers/promises'
import { networkReason, retryDelayMs } from '@quayside/sdk'
import { Failure } from '../failure.ts'
import { requireUnchanged } from './local-file.ts'
import { putRange } from './put-range.ts'
import type { PutAnswer, PutRange } from './put-range.ts'

export type SignedTarget = { url: string; headers: Record<string, string> }

export type SendRange = Omit<PutRange, 'url' | 'headers'> & {
  /** Where to PUT; asked again after each refusal that a fresh signature may cure. */
  target: (fresh: boolean) => Promise<SignedTarget>
  /** Told about each try that failed and will be made again. */
  onRetry: (reason: string) => void
}

/** A signed URL that is refused and cannot be replaced. */
export class TargetRefused extends Failure {}

const tries = 10

/** PUTs a range until the storage has acknowledged exactly these bytes; resolves with its ETag. */
export async function sendRange(send: SendRange): Promise<{ etag: string }> {
  let fresh = false
  for (let attempt = 0; ; attempt++) {
    const { url, headers } = await send.target(fresh)
    let counted = 0
    const onBytes = (bytes: number) => {
      counted += bytes
      send.onBytes(bytes)
    }
    let reason: string
    let retryAfter: string | null = null
    try {
      const answer = await putRange({ ...send, url, headers, onBytes })
      await requireUnchanged(send.file)
      if (isStored(answer)) return { etag: answer.etag }
      reason = refusal(answer)
      retryAfter = answer.retryAfter
      fresh = answer.status === 403
      if (!mayHelpToRepeat(answer.status)) throw new Failure('failed', `${send.file.filename}: ${reason}`)
    } catch (error) {
      send.signal.throwIfAborted()
      if (error instanceof Failure) throw error
      await requireUnchanged(send.file)
      reason = networkReason(error)
    }
    send.onBytes(-counted)
    if (attempt + 1 >= tries) {
      const advice = 'Run the same command again: it goes on where this one stopped.'
      throw new Failure('unreachable', `${send.file.filename} did not get through: ${reason}. ${advice}`)
    }
    send.onRetry(reason)
    await sleep(retryDelayMs(attempt, retryAfter), undefined, { signal: send.signal })
  }
}

// Stores that encrypt with a key of their own answer ETags that are no MD5.
function isStored(answer: PutAnswer): boolean {
  if (answer.status < 200 || answer.status >= 300 || answer.md5 === '') return false
  return answer.encrypted || answer.etag === answer.md5
}

function refusal(answer: PutAnswer): string {
  if (answer.status >= 200 && answer.status < 300) return 'the storage received other bytes than were sent'
  const said = answer.message.replace(/\.$/, '')
  if (answer.status === 507)
    return `the server's disk is full (${said}): free some space there and run this again.`
  return `the storage answered ${answer.status}${said ? ` (${said})` : ''}`
}

function mayHelpToRepeat(status: number): boolean {
  return (
    status < 300 || status === 403 || status === 408 || status === 429 || (status >= 500 && status !== 507)
  )
}
