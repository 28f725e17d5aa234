import { sizeText, timeText } from './units.ts'

export type ProgressState = {
  label: string
  doneBytes: number
  totalBytes: number
  /** Lately; 0 while unknown. */
  bytesPerSecond: number
}

/** The line that a terminal redraws: name, bar, percent, bytes, speed, time left; cut to the width. */
export function progressLine(state: ProgressState, columns: number): string {
  const { label, doneBytes, totalBytes } = state
  const percent = `${String(percentDone(doneBytes, totalBytes)).padStart(3)} %`
  const facts = [percent, `${sizeText(doneBytes)} of ${sizeText(totalBytes)}`, ...speed(state)].join('  ')
  const space = columns - facts.length - 4
  if (space < 10) return facts.slice(0, columns)
  const name = label.length > space / 2 ? `${label.slice(0, Math.floor(space / 2) - 1)}…` : label
  const width = Math.min(40, space - name.length - 3)
  const filled = totalBytes === 0 ? width : Math.floor((doneBytes / totalBytes) * width)
  const bar = `${'█'.repeat(filled)}${'░'.repeat(width - filled)}`
  return `${name}  ${bar}  ${facts}`
}

/** The line that goes to a log at each tenth: `app.apk: 40 %, 1.20 GB of 3.00 GB, 80.00 MB/s, 23 s left`. */
export function progressLogLine(state: ProgressState): string {
  const { label, doneBytes, totalBytes } = state
  const facts = [
    `${percentDone(doneBytes, totalBytes)} %`,
    `${sizeText(doneBytes)} of ${sizeText(totalBytes)}`,
  ]
  return `${label}: ${[...facts, ...speed(state)].join(', ')}`
}

/** Whole percent, 100 only when everything is done. */
export function percentDone(doneBytes: number, totalBytes: number): number {
  return totalBytes === 0 ? 100 : Math.floor((doneBytes / totalBytes) * 100)
}

function speed({ doneBytes, totalBytes, bytesPerSecond }: ProgressState): string[] {
  if (bytesPerSecond <= 0) return []
  const left = doneBytes < totalBytes ? [`${timeText((totalBytes - doneBytes) / bytesPerSecond)} left`] : []
  return [`${sizeText(Math.round(bytesPerSecond))}/s`, ...left]
}
