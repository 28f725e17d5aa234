import type { Terminal } from './command.ts'

type Output = { write(text: string): unknown; isTTY?: boolean; columns?: number }

const eraseLine = '\r\u001b[K'

/** Creates a terminal that prints to these streams. Lines replace the status line, if one is drawn. */
export function createTerminal({ stdout, stderr }: { stdout: Output; stderr: Output }): Terminal {
  let hasStatus = false
  const erase = () => {
    if (hasStatus) stderr.write(eraseLine)
    hasStatus = false
  }
  const lineTo = (output: Output) => (line: string) => {
    erase()
    output.write(`${line}\n`)
  }
  const terminal: Terminal = { print: lineTo(stdout), report: lineTo(stderr) }
  if (stderr.isTTY !== true) return terminal
  return {
    ...terminal,
    drawStatus(line) {
      hasStatus = true
      // A line that wraps could not be erased.
      stderr.write(`${eraseLine}${line.slice(0, Math.max(20, (stderr.columns ?? 80) - 1))}`)
    },
  }
}
