import type { ChannelAdoption } from '@quayside/sdk'
import { adoptionText } from '../../text/distribution/adoption.ts'

/** People cannot distinguish more colors. */
const maxSeries = 7

type Series = { name: string; values: readonly number[]; checks: number }

/** Returns the most frequent versions. Further ones are shown together. */
export function adoptionSeries({ versions, days }: ChannelAdoption): Series[] {
  const named = versions.filter(({ kind, checks }) => kind === 'published' && checks > 0)
  const kept = named.slice(0, maxSeries - 2)
  const others = [...named.slice(kept.length), ...versions.filter(({ kind }) => kind === 'other')]
  const together = (name: string, parts: typeof versions): Series => ({
    name,
    values: days.map((_, index) => parts.reduce((sum, { counts }) => sum + (counts[index] ?? 0), 0)),
    checks: parts.reduce((sum, { checks }) => sum + checks, 0),
  })
  return [
    ...kept.map((each) => together(each.version ?? '', [each])),
    together(adoptionText.other, others),
    together(
      adoptionText.unspecified,
      versions.filter(({ kind }) => kind === 'unspecified'),
    ),
  ].filter(({ checks }) => checks > 0)
}
