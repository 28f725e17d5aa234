import { explainCode, type Explanation } from '../../../http/pages/error-page.ts'
import type { VisitorText } from '../../../http/pages/text/english.ts'
import type { Problem } from '../../../lib/problem.ts'

const symbols = {
  'resource.not_found': 'search',
  'group_link.release_deleted': 'off',
  'group_link.application_deleted': 'off',
  'group_link.release_withdrawn': 'off',
  'group_link.not_a_member': 'lock',
  'group_link.group_inactive': 'clock',
} as const

/** Returns how the pages of a group link explain an error. */
export const explainGroupLink = ({ code }: Problem, { groupLink }: VisitorText): Explanation | undefined =>
  explainCode(code, groupLink, symbols)
