import { sizeString } from './sizes.ts'

/** The progress of one step of a long operation. */
export type Progress = {
  /** What is processed, such as `builds`. */
  step: string
  /** What the numbers count, unless the name of the step says it. */
  unit?: 'rows'
  /** The number of rows or files, including those that an earlier run processed. */
  done: number
  total: number
  doneBytes?: number
  totalBytes?: number
  /** True in the last call of the step. */
  isComplete: boolean
}

/** Measures the speed of the current step. Work of an earlier run does not count toward it. */
export type ProgressMeter = {
  /** Returns a line such as `files: 25 of 100, 256.00 MB of 1.00 GB, 4.00 MB/s, about 4 min left`. */
  describe(progress: Progress): string
}

export function createProgressMeter(nowMs: () => number): ProgressMeter {
  let started: { atMs: number; progress: Progress } | undefined
  return {
    describe(progress) {
      if (started?.progress.step !== progress.step) started = { atMs: nowMs(), progress }
      const seconds = (nowMs() - started.atMs) / 1000
      return [amounts(progress), ...speed(started.progress, progress, seconds)].join(', ')
    },
  }
}

function amounts({ step, unit, done, total, doneBytes, totalBytes, isComplete }: Progress): string {
  const isPlain = isComplete && done === total && unit !== undefined
  const number = isPlain ? `${done}` : `${done} of ${total}`
  const count = unit === undefined ? number : `${number} ${total === 1 ? 'row' : unit}`
  if (doneBytes === undefined) return `${step}: ${count}`
  const size = totalBytes === undefined ? '' : ` of ${sizeString(totalBytes)}`
  return `${step}: ${count}, ${sizeString(doneBytes)}${size}`
}

function speed(from: Progress, to: Progress, seconds: number): string[] {
  if (seconds < 1) return []
  const hasBytes = to.doneBytes !== undefined && to.totalBytes !== 0
  const moved = hasBytes ? (to.doneBytes ?? 0) - (from.doneBytes ?? 0) : to.done - from.done
  if (moved <= 0) return []
  const perSecond = Math.round(moved / seconds)
  const current = hasBytes ? `${sizeString(perSecond)}/s` : `${perSecond}/s`
  const [before, now] = [shareOf(from), shareOf(to)]
  if (to.isComplete || now <= before) return [current]
  return [current, `about ${describeSeconds((seconds * (1 - now)) / (now - before))} left`]
}

/** Small files take as long as their number, large files as long as their bytes, so both count. */
function shareOf({ done, total, doneBytes, totalBytes }: Progress): number {
  const share = (part: number, whole: number) => (whole === 0 ? 1 : Math.min(1, part / whole))
  if (doneBytes === undefined || totalBytes === undefined) return share(done, total)
  return (share(done, total) + share(doneBytes, totalBytes)) / 2
}

function describeSeconds(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
