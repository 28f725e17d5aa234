type Created = { build: { created_at: string } }

const dayMs = 86_400_000
const minSpanMs = 28 * dayMs

/**
 * Returns a time axis from the oldest build to some time after now. It does not depend on the number of days, so that
 * only the bars move while that is changed.
 */
export function timelineOf(rows: readonly Created[], now: number) {
  const oldest = Math.min(now, ...rows.map(({ build }) => Date.parse(build.created_at)))
  const from = Math.min(oldest, now - minSpanMs)
  const to = now + Math.max(minSpanMs / 2, (now - from) * 0.6)
  return {
    from,
    to,
    /** Returns the position of a time in percent, within the axis. */
    position: (time: number): number => Math.min(100, Math.max(0, ((time - from) / (to - from)) * 100)),
  }
}

export type Timeline = ReturnType<typeof timelineOf>

/** Returns when a build goes if its stream keeps builds for a number of days; undefined if it stays. */
export function goesAt(
  { build, kept_by: keptBy }: Created & { kept_by: readonly { reason: string }[] },
  days: number | null,
): number | undefined {
  if (days === null || keptBy.some(({ reason }) => reason !== 'stream')) return undefined
  return Date.parse(build.created_at) + days * dayMs
}
