import { setTimeout as sleep } from 'node:timers/promises'
import { Failure, toFailureReport } from '../failure.ts'
import { formatDuration } from '../output/format.ts'
import type { Output } from '../output/output.ts'

export type RetryFor = { seconds: number; output: Output; signal: AbortSignal }

const maxDelaySeconds = 30

/** Runs `work` again while the server is unreachable, for up to `seconds`. `work` must resume where it stopped. */
export async function retryWhileUnreachable<Result>(
  { seconds, output, signal }: RetryFor,
  work: () => Promise<Result>,
): Promise<Result> {
  const start = performance.now()
  for (let attempt = 0; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const report = toFailureReport(error)
      if (signal.aborted || report.kind !== 'unreachable') throw error
      const leftSeconds = seconds - (performance.now() - start) / 1000
      const reason = report.message.replace(/ Rerun the command to resume\.$/, '')
      if (leftSeconds <= 0)
        throw new Failure('unreachable', `${reason} Rerun the command to resume.`, { cause: error })
      const delaySeconds = Math.min(2 ** attempt, maxDelaySeconds, leftSeconds)
      output.note(`${reason} Retrying for another ${formatDuration(leftSeconds)}.`)
      await sleep(delaySeconds * 1000, undefined, { signal })
    }
  }
}
