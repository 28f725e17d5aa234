import { percentDone, progressLine, progressLogLine } from './progress-text.ts'
import { printable } from './units.ts'

/** Shows how far a transfer is. `add` may be negative: bytes of a failed try do not count. */
export type Progress = { add(bytes: number): void; end(): void }

export type ProgressSink = { write(text: string): unknown; isTTY?: boolean; columns?: number }

export type ProgressOptions = {
  label: string
  totalBytes: number
  /** Bytes that were there before this run; they do not count for the speed. */
  alreadyDoneBytes: number
  /** Milliseconds that only go forward. */
  nowMs: () => number
}

const redrawEveryMs = 100
const speedWindowMs = 5_000

/** A redrawn bar on a terminal, a line for each tenth elsewhere. */
export function showProgress(sink: ProgressSink, options: ProgressOptions): Progress {
  const { totalBytes, alreadyDoneBytes, nowMs } = options
  const label = printable(options.label)
  let samples = [{ atMs: nowMs(), bytes: alreadyDoneBytes }]
  let doneBytes = alreadyDoneBytes
  let drawnAtMs = -Infinity
  let tenth = Math.floor(percentDone(doneBytes, totalBytes) / 10)

  const state = () => {
    const since = samples[0] ?? { atMs: nowMs(), bytes: doneBytes }
    const seconds = (nowMs() - since.atMs) / 1000
    const bytesPerSecond = seconds > 0 ? Math.max(0, (doneBytes - since.bytes) / seconds) : 0
    return { label, doneBytes, totalBytes, bytesPerSecond }
  }
  const draw = () => {
    drawnAtMs = nowMs()
    sink.write(`\r\u001b[K${progressLine(state(), Math.max(20, (sink.columns ?? 80) - 1))}`)
  }
  return {
    add(bytes) {
      doneBytes += bytes
      const atMs = nowMs()
      if (atMs - (samples.at(-1)?.atMs ?? 0) >= redrawEveryMs) {
        const recent = samples.filter((sample) => atMs - sample.atMs <= speedWindowMs)
        samples = [...(recent.length > 0 ? recent : samples.slice(-1)), { atMs, bytes: doneBytes }]
      }
      if (sink.isTTY === true) {
        if (atMs - drawnAtMs >= redrawEveryMs) draw()
        return
      }
      const now = Math.floor(percentDone(doneBytes, totalBytes) / 10)
      if (now > tenth) {
        tenth = now
        sink.write(`${progressLogLine(state())}\n`)
      }
    },
    end() {
      if (sink.isTTY !== true) return
      draw()
      sink.write('\n')
    },
  }
}

/** For `--json`: nothing is shown. */
export const silentProgress: Progress = { add: () => {}, end: () => {} }
