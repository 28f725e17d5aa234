import { sizeString } from '../lib/sizes.ts'
import type { ObjectProgress } from '../storage/each-object.ts'
import type { Terminal } from './command.ts'

const progressIntervalMs = 5_000

/** Prints the progress of a check every few seconds, with the speed and the time left. */
export function createCheckProgress(terminal: Terminal) {
  const startedAt = performance.now()
  let printedAt = startedAt
  let last: ObjectProgress = { objects: 0, totalObjects: 0, sizeBytes: 0, totalBytes: 0, isComplete: false }
  return {
    last: () => last,
    report(progress: ObjectProgress): void {
      last = progress
      const now = performance.now()
      if (progress.isComplete || now - printedAt < progressIntervalMs) return
      printedAt = now
      terminal.report(describeCheckProgress(progress, (now - startedAt) / 1000))
    },
  }
}

/** Returns the progress after a number of seconds. The time left is estimated from the share of objects and bytes. */
export function describeCheckProgress(
  { objects, totalObjects, sizeBytes, totalBytes }: ObjectProgress,
  seconds: number,
): string {
  const done = (shareOf(objects, totalObjects) + shareOf(sizeBytes, totalBytes)) / 2
  const secondsLeft = done === 0 ? undefined : Math.round((seconds * (1 - done)) / done)
  const speed = `${sizeString(Math.round(sizeBytes / seconds))}/s`
  const left = secondsLeft === undefined ? '' : `, about ${describeSeconds(secondsLeft)} left`
  return `files: ${objects} of ${totalObjects}, ${sizeString(sizeBytes)} of ${sizeString(totalBytes)}, ${speed}${left}`
}

const shareOf = (part: number, whole: number): number => (whole === 0 ? 1 : Math.min(1, part / whole))

function describeSeconds(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  if (hours > 0) return `${hours} h ${minutes} min`
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`
}
