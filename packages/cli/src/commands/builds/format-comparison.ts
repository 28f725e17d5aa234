import type { EntryChange, FileComparison } from '@quayside/sdk'
import { formatColumns, formatSize } from '../../output/format.ts'

const kinds = ['added', 'removed', 'changed', 'renamed', 'unchanged'] as const

/** Formats the numbers and bytes of the entries of a file, a line for each kind. */
export function formatComparison({ before, after, totals, shared_bytes: shared }: FileComparison): string {
  const names = [...new Set([before?.filename, after?.filename].filter((name) => name !== undefined))]
  const lines = kinds.flatMap((kind) => {
    const sum = totals?.[kind]
    if (sum === undefined || sum.entry_count === 0) return []
    const { size_before_bytes: old, size_after_bytes: current } = sum
    const bytes =
      kind === 'changed' ? `${formatSize(old)} → ${formatSize(current)}` : formatSize(Math.max(old, current))
    return [formatColumns([kind, formatCount(sum.entry_count), bytes], [9, 14])]
  })
  const reused =
    shared === null || after === null
      ? []
      : [`--reuse saves ${formatSize(shared)} of ${formatSize(after.size_bytes)}.`]
  return [names.join(' → '), ...lines, ...reused].join('\n')
}

const formatCount = (count: number): string => `${count} ${count === 1 ? 'entry' : 'entries'}`

/** Formats the sizes of an entry in both builds, and the difference with its sign. */
export function formatChangedSizes(entry: EntryChange): [string, string, string] {
  const { size_before_bytes: old, size_after_bytes: current, size_change_bytes: change } = entry
  const size = (bytes: number | null) => (bytes === null ? '-' : formatSize(bytes))
  const sign = change < 0 ? '-' : '+'
  return [size(old), size(current), change === 0 ? '0 B' : `${sign}${formatSize(Math.abs(change))}`]
}
