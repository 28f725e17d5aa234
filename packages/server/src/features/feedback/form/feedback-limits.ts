import type { Call } from '../../../http/endpoint/endpoint.ts'
import { problem } from '../../../lib/problem.ts'

/** Counts feedback against the limits of the client, the link and the build; throws 429 when one is reached. */
export function chargeFeedback(
  { network, publicFeedback }: Pick<Call, 'network' | 'publicFeedback'>,
  { linkId, buildId }: { linkId: string; buildId: string },
): void {
  const { byNetwork, byLink, byBuild } = publicFeedback
  const subjects = [
    [byNetwork, network],
    [byLink, linkId],
    [byBuild, buildId],
  ] as const
  // A client that has reached its own limit must not use up those of the link and the build.
  for (const [counter, subject] of subjects) {
    const { isAllowed, resetSeconds } = counter.take(subject)
    if (!isAllowed) throw tooMuchFeedback({ seconds: resetSeconds }, { retryAfterSeconds: resetSeconds })
  }
}

const tooMuchFeedback = problem(
  'too_many',
  'feedback.too_many',
  'Too much feedback was sent. Try again in {seconds} s.',
)
