import type { FailureReport } from '../failure.ts'
import { stripControlCharacters } from './format.ts'
import { selectFields } from './json-fields.ts'
import { showProgress } from './progress.ts'
import type { Progress, ProgressOptions, ProgressSink } from './progress.ts'

/** Prints results to stdout and everything else to stderr. */
export type Output = {
  /** Prints `value`, or its selected fields, as JSON if `--json` is set, otherwise `text()`, which gets the width of the terminal. */
  result(value: unknown, text: (columns: number | undefined) => string): void
  /** Prints one of many results on a line of its own, as JSON if `--json` is set, otherwise `text()`. */
  item(value: unknown, text: () => string): void
  /** Prints a message unless `--json` is set. */
  note(text: string): void
  failure(report: FailureReport): void
  progress(options: Omit<ProgressOptions, 'nowMs'>): Progress
}

export type Streams = {
  /** `done` is called when the data has been written. */
  stdout: {
    write(data: string | Uint8Array, done?: (error?: Error | null) => void): unknown
    isTTY?: boolean
    columns?: number
  }
  stderr: ProgressSink
}

/**
 * Creates the output for a command. If `json` is set, prints only these fields of the result as JSON, or all fields if
 * the list is empty.
 */
export function createOutput({ stdout, stderr }: Streams, json: boolean, fields: string[] = []): Output {
  // Clears any progress bar on the current line. The bar is redrawn below the message.
  const lineStart = stderr.isTTY === true ? '\r\u001b[K' : ''
  const writeJson = (value: unknown) => stdout.write(`${JSON.stringify(value, null, 2)}\n`)
  return {
    result(value, text) {
      if (!json) {
        stdout.write(`${stripControlCharacters(text(stdout.isTTY === true ? stdout.columns : undefined))}\n`)
        return
      }
      writeJson(fields.length > 0 ? selectFields(value, fields) : value)
    },
    item(value, text) {
      const selected = () => (fields.length > 0 ? selectFields(value, fields) : value)
      stdout.write(`${json ? JSON.stringify(selected()) : stripControlCharacters(text())}\n`)
    },
    note(text) {
      if (!json) stderr.write(`${lineStart}${stripControlCharacters(text)}\n`)
    },
    failure(report) {
      stderr.write(
        json
          ? `${lineStart}${JSON.stringify(report)}\n`
          : `${lineStart}quayside: ${stripControlCharacters(report.message)}\n`,
      )
    },
    progress(options) {
      // CI systems stop a step that prints nothing for some time, so progress is shown with `--json` too.
      return showProgress(stderr, { ...options, nowMs: () => performance.now() })
    },
  }
}
