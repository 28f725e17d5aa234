import { sizeString } from '../lib/sizes.ts'

/** The progress of a step: rows of a table, or stored files with their bytes. */
export type TransferProgress = {
  /** What is transferred, such as `builds`. */
  step: string
  done: number
  total: number
  doneBytes?: number
  totalBytes?: number
}

const intervalMs = 5_000

/**
 * Returns a function that reports a step when it is complete and, every few seconds, its progress with the speed and the
 * remaining time. A step that was partly done before counts from where this run started.
 */
export function createTransferProgress(
  report: (line: string) => void,
  nowMs: () => number = () => performance.now(),
): (progress: TransferProgress) => void {
  let started: { step: string; atMs: number; amount: number } | undefined
  let reportedAtMs = nowMs()
  return (progress) => {
    const now = nowMs()
    const amount = progress.doneBytes ?? progress.done
    if (started?.step !== progress.step) started = { step: progress.step, atMs: now, amount }
    const isComplete = progress.done === progress.total
    if (!isComplete && now - reportedAtMs < intervalMs) return
    reportedAtMs = now
    const perSecond = (amount - started.amount) / Math.max((now - started.atMs) / 1000, 0.001)
    report(describe(progress, isComplete ? undefined : perSecond))
  }
}

function describe(
  { step, done, total, doneBytes, totalBytes }: TransferProgress,
  perSecond: number | undefined,
): string {
  const hasBytes = doneBytes !== undefined && totalBytes !== undefined
  const text = `${step}: ${done} of ${total}${hasBytes ? `, ${sizeString(doneBytes)} of ${sizeString(totalBytes)}` : ''}`
  if (perSecond === undefined || perSecond <= 0) return text
  const left = (hasBytes ? totalBytes - doneBytes : total - done) / perSecond
  const speed = hasBytes ? `${sizeString(Math.round(perSecond))}/s` : `${Math.round(perSecond)}/s`
  return `${text}, ${speed}, about ${describeSeconds(left)} left`
}

function describeSeconds(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
