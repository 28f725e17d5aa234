import type { FailureReport } from '../failure.ts'
import { stripControlCharacters } from './format.ts'
import { showProgress, silentProgress } from './progress.ts'
import type { Progress, ProgressOptions, ProgressSink } from './progress.ts'

/** Prints results to stdout and everything else to stderr. */
export type Output = {
  /** Prints `value` as JSON if `--json` is set, otherwise `text()`. */
  result(value: unknown, text: () => string): void
  /** Prints a message unless `--json` is set. */
  note(text: string): void
  failure(report: FailureReport): void
  progress(options: Omit<ProgressOptions, 'nowMs'>): Progress
}

export type Streams = { stdout: { write(text: string): unknown }; stderr: ProgressSink }

export function createOutput({ stdout, stderr }: Streams, json: boolean): Output {
  // Clears any progress bar on the current line. The bar is redrawn below the message.
  const lineStart = stderr.isTTY === true ? '\r\u001b[K' : ''
  return {
    result(value, text) {
      stdout.write(json ? `${JSON.stringify(value, null, 2)}\n` : `${stripControlCharacters(text())}\n`)
    },
    note(text) {
      if (!json) stderr.write(`${lineStart}${stripControlCharacters(text)}\n`)
    },
    failure(report) {
      stderr.write(
        json
          ? `${JSON.stringify(report)}\n`
          : `${lineStart}quayside: ${stripControlCharacters(report.message)}\n`,
      )
    },
    progress(options) {
      return json ? silentProgress : showProgress(stderr, { ...options, nowMs: () => performance.now() })
    },
  }
}
