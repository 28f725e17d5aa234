import { formatDuration, formatSize } from './format.ts'

export type ProgressState = {
  label: string
  doneBytes: number
  totalBytes: number
  doneFiles: number
  /** Undefined if the number of files is not shown. */
  totalFiles: number | undefined
  /** Recent speed, or 0 if unknown. */
  bytesPerSecond: number
}

/** Formats progress for a terminal with `columns` columns: name, bar, percent, bytes, speed and time left. */
export function progressLine(state: ProgressState, columns: number): string {
  const { label, doneBytes, totalBytes } = state
  const [percent = '', ...others] = numbersOf(state)
  const numbers = [percent.padStart(4), ...others].join('  ')
  const space = columns - numbers.length - 4
  if (space < 10) return numbers.slice(0, columns)
  const name = label.length > space / 2 ? `${label.slice(0, Math.floor(space / 2) - 1)}…` : label
  const width = Math.min(40, space - name.length - 3)
  const filled = totalBytes === 0 ? width : Math.floor((doneBytes / totalBytes) * width)
  const bar = `${'█'.repeat(filled)}${'░'.repeat(width - filled)}`
  return `${name}  ${bar}  ${numbers}`
}

/** Formats progress for a log: `app.apk: 40%, 1.20 GB of 3.00 GB, 80.00 MB/s, 23 s left`. */
export function progressLogLine(state: ProgressState): string {
  return `${state.label}: ${numbersOf(state).join(', ')}`
}

/** Returns the percentage, rounded down so that 100 means that all bytes are transferred. */
export function percentDone(doneBytes: number, totalBytes: number): number {
  return totalBytes === 0 ? 100 : Math.floor((doneBytes / totalBytes) * 100)
}

/** Returns the percentage, the sizes, and the number of files, the speed and the time left if they are known. */
function numbersOf(state: ProgressState): string[] {
  const { doneBytes, totalBytes } = state
  const sizes = `${formatSize(doneBytes)} of ${formatSize(totalBytes)}`
  return [`${percentDone(doneBytes, totalBytes)}%`, sizes, ...files(state), ...speed(state)]
}

const files = ({ doneFiles, totalFiles }: ProgressState): string[] =>
  totalFiles === undefined ? [] : [`${doneFiles} of ${totalFiles} files`]

function speed({ doneBytes, totalBytes, bytesPerSecond }: ProgressState): string[] {
  if (bytesPerSecond <= 0) return []
  const left =
    doneBytes < totalBytes ? [`${formatDuration((totalBytes - doneBytes) / bytesPerSecond)} left`] : []
  return [`${formatSize(Math.round(bytesPerSecond))}/s`, ...left]
}
