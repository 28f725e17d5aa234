import { stripControlCharacters } from './format.ts'
import { percentDone, progressLine, progressLogLine } from './progress-text.ts'

/** Shows the progress of a transfer. `add` receives negative numbers when a failed attempt must be repeated. */
export type Progress = { add(bytes: number, files?: number): void; end(): void }

export type ProgressSink = { write(text: string): unknown; isTTY?: boolean; columns?: number }

export type ProgressOptions = {
  label: string
  totalBytes: number
  /** Number of files if it is shown too. */
  totalFiles?: number | undefined
  alreadyDoneFiles?: number
  /** Bytes transferred by an earlier run. They do not count toward the speed. */
  alreadyDoneBytes: number
  /** Returns the monotonic time in milliseconds. */
  nowMs: () => number
}

const redrawEveryMs = 100
const speedWindowMs = 5_000

/** Draws a progress bar on a terminal. Elsewhere, writes one line per 10%. */
export function showProgress(sink: ProgressSink, options: ProgressOptions): Progress {
  const { totalBytes, alreadyDoneBytes, nowMs } = options
  const label = stripControlCharacters(options.label)
  let samples = [{ atMs: nowMs(), bytes: alreadyDoneBytes }]
  let doneBytes = alreadyDoneBytes
  let doneFiles = options.alreadyDoneFiles ?? 0
  let drawnAtMs = -Infinity
  let tenth = Math.floor(percentDone(doneBytes, totalBytes) / 10)

  const state = () => {
    const since = samples[0] ?? { atMs: nowMs(), bytes: doneBytes }
    const seconds = (nowMs() - since.atMs) / 1000
    const bytesPerSecond = seconds > 0 ? Math.max(0, (doneBytes - since.bytes) / seconds) : 0
    return { label, doneBytes, totalBytes, bytesPerSecond, doneFiles, totalFiles: options.totalFiles }
  }
  const draw = () => {
    drawnAtMs = nowMs()
    sink.write(`\r\u001b[K${progressLine(state(), Math.max(20, (sink.columns ?? 80) - 1))}`)
  }
  return {
    add(bytes, files = 0) {
      doneBytes += bytes
      doneFiles += files
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

/** Ignores all progress. */
export const silentProgress: Progress = { add: () => {}, end: () => {} }
