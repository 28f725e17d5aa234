export interface GuessLimit {
  /** Counts a guess before it is judged. Seconds to wait when there were too many; undefined when it may be made. */
  take(subject: string): number | undefined
  /** A right guess ends the count. */
  forget(subject: string): void
}

const mostGuesses = 5
const windowMs = 15 * 60 * 1000
const mostSubjects = 50_000

/** Five guesses in a quarter of an hour for each subject; kept in memory, the oldest subjects go first. */
export function createGuessLimit(now: () => number = Date.now): GuessLimit {
  const counts = new Map<string, { guesses: number; endsAt: number }>()
  return {
    take(subject) {
      const time = now()
      const known = counts.get(subject)
      if (known !== undefined && known.endsAt > time) {
        if (known.guesses >= mostGuesses) return Math.ceil((known.endsAt - time) / 1000)
        known.guesses++
        return undefined
      }
      counts.delete(subject)
      const [oldest] = counts.keys()
      if (counts.size >= mostSubjects && oldest !== undefined) counts.delete(oldest)
      counts.set(subject, { guesses: 1, endsAt: time + windowMs })
      return undefined
    },
    forget(subject) {
      counts.delete(subject)
    },
  }
}
