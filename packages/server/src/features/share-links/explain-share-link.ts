import { explainCode, type Explanation } from '../../http/pages/error-page.ts'
import type { VisitorText } from '../../http/pages/text/english.ts'
import type { Problem } from '../../lib/problem.ts'

const symbols = {
  'resource.not_found': 'search',
  'share_link.revoked': 'off',
  'share_link.expired': 'clock',
  'share_link.used_up': 'download',
  'share_link.release_withdrawn': 'off',
} as const

/** Returns how the pages of a share link explain an error. */
export const explainShareLink = ({ code }: Problem, { shareLink }: VisitorText): Explanation | undefined =>
  explainCode(code, shareLink, symbols)
