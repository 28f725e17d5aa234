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
  const percent = `${String(percentDone(doneBytes, totalBytes)).padStart(3)}%`
  const sizes = `${formatSize(doneBytes)} of ${formatSize(totalBytes)}`
  const numbers = [percent, sizes, ...files(state), ...speed(state)].join('  ')
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
  const { label, doneBytes, totalBytes } = state
  const percent = `${percentDone(doneBytes, totalBytes)}%`
  const sizes = `${formatSize(doneBytes)} of ${formatSize(totalBytes)}`
  const numbers = [percent, sizes, ...files(state), ...speed(state)]
  return `${label}: ${numbers.join(', ')}`
}

/** Returns the percentage, rounded down so that 100 means that all bytes are transferred. */
export function percentDone(doneBytes: number, totalBytes: number): number {
  return totalBytes === 0 ? 100 : Math.floor((doneBytes / totalBytes) * 100)
}

const files = ({ doneFiles, totalFiles }: ProgressState): string[] =>
  totalFiles === undefined ? [] : [`${doneFiles} of ${totalFiles} files`]

function speed({ doneBytes, totalBytes, bytesPerSecond }: ProgressState): string[] {
  if (bytesPerSecond <= 0) return []
  const left =
    doneBytes < totalBytes ? [`${formatDuration((totalBytes - doneBytes) / bytesPerSecond)} left`] : []
  return [`${formatSize(Math.round(bytesPerSecond))}/s`, ...left]
}
