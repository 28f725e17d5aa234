import type { FailureReport } from '../failure.ts'
import { showProgress, silentProgress } from './progress.ts'
import type { Progress, ProgressOptions, ProgressSink } from './progress.ts'
import { printable } from './units.ts'

/** Everything a command prints goes through here. Results go to stdout, the rest to stderr. */
export type Output = {
  /** The result: `value` as JSON for scripts, `text()` for people. */
  result(value: unknown, text: () => string): void
  /** A sentence about what is going on, for people only. */
  note(text: string): void
  failure(report: FailureReport): void
  progress(options: Omit<ProgressOptions, 'nowMs'>): Progress
}

export type Streams = { stdout: { write(text: string): unknown }; stderr: ProgressSink }

export function createOutput({ stdout, stderr }: Streams, json: boolean): Output {
  // A sentence takes the place of a half-drawn progress bar, which is drawn again below it.
  const lineStart = stderr.isTTY === true ? '\r\u001b[K' : ''
  return {
    result(value, text) {
      stdout.write(json ? `${JSON.stringify(value, null, 2)}\n` : `${printable(text())}\n`)
    },
    note(text) {
      if (!json) stderr.write(`${lineStart}${printable(text)}\n`)
    },
    failure(report) {
      stderr.write(
        json ? `${JSON.stringify(report)}\n` : `${lineStart}quayside: ${printable(report.message)}\n`,
      )
    },
    progress(options) {
      return json ? silentProgress : showProgress(stderr, { ...options, nowMs: () => performance.now() })
    },
  }
}
