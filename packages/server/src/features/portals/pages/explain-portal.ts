import type { Explanation } from '../../../http/pages/error-page.ts'
import type { VisitorText } from '../../../http/pages/text/english.ts'
import type { Problem } from '../../../lib/problem.ts'

/** Returns how the pages of a portal explain an error. */
export const explainPortal = ({ code }: Problem, { portal }: VisitorText): Explanation | undefined =>
  code === 'resource.not_found' ? { ...portal.notFound, symbol: 'search' } : undefined
