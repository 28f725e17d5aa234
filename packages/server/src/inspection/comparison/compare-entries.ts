import type { ChangeKind, EntryChange, EntryQuery, Totals } from './comparison-schema.ts'
import type { EntryList } from './entry-list.ts'

/** A changed entry: its index in each list, or undefined in the list that lacks it. */
type Change = { kind: ChangeKind; before: number | undefined; after: number | undefined }

type Compared = { totals: Record<ChangeKind | 'unchanged', Totals>; total: number; entries: EntryChange[] }

/** Compares two archives, and returns the totals of all entries and the changes that a query selects. */
export function compareEntries(before: EntryList, after: EntryList, query: EntryQuery): Compared {
  const hasStoredBytes = before.storedBytes !== undefined || after.storedBytes !== undefined
  const newTotals = (): Totals => ({
    entry_count: 0,
    size_before_bytes: 0,
    size_after_bytes: 0,
    compressed_before_bytes: hasStoredBytes ? 0 : null,
    compressed_after_bytes: hasStoredBytes ? 0 : null,
  })
  const totals = {
    added: newTotals(),
    removed: newTotals(),
    changed: newTotals(),
    renamed: newTotals(),
    unchanged: newTotals(),
  }
  const add = (kind: keyof typeof totals, { before: old, after: current }: Omit<Change, 'kind'>) => {
    const sum = totals[kind]
    sum.entry_count++
    sum.size_before_bytes = added(sum.size_before_bytes, before.sizeBytes, old)
    sum.size_after_bytes = added(sum.size_after_bytes, after.sizeBytes, current)
    if (!hasStoredBytes) return
    sum.compressed_before_bytes = added(sum.compressed_before_bytes ?? 0, before.storedBytes, old)
    sum.compressed_after_bytes = added(sum.compressed_after_bytes ?? 0, after.storedBytes, current)
  }
  const changes = findChanges(before, after, (index, old) => add('unchanged', { before: old, after: index }))
  for (const change of changes) add(change.kind, change)
  const selected = changes.filter(selects(before, after, query)).toSorted(orderOf(before, after, query))
  const { offset, limit } = query
  return {
    totals,
    total: selected.length,
    entries: selected.slice(offset, offset + limit).map((change) => entryOf(before, after, change)),
  }
}

/** Adds the value at an index. Sizes that an archive only declares can add up to more than a number can represent. */
const added = (sum: number, column: readonly number[] | undefined, index: number | undefined): number =>
  Math.min(sum + valueAt(column, index), Number.MAX_SAFE_INTEGER)

const valueAt = (column: readonly number[] | undefined, index: number | undefined): number =>
  index === undefined ? 0 : (column?.[index] ?? 0)

function findChanges(
  before: EntryList,
  after: EntryList,
  onUnchanged: (after: number, before: number) => void,
): Change[] {
  const indexes = new Map(before.names.map((name, index) => [name, index]))
  const isMatched = new Uint8Array(before.names.length)
  const changes: Change[] = []
  const added: number[] = []
  for (const [index, name] of after.names.entries()) {
    const old = indexes.get(name)
    if (old === undefined) {
      added.push(index)
      continue
    }
    isMatched[old] = 1
    const isSame =
      before.sizeBytes[old] === after.sizeBytes[index] && before.checksums[old] === after.checksums[index]
    if (isSame) onUnchanged(index, old)
    else changes.push({ kind: 'changed', before: old, after: index })
  }
  const removed = before.names.flatMap((_, index) => (isMatched[index] === 1 ? [] : [index]))
  for (const change of withRenames(before, after, removed, added)) changes.push(change)
  return changes
}

/** Pairs removed and added files of the same content. Both lists are sorted by content, so pairs are found in one pass. */
function* withRenames(
  before: EntryList,
  after: EntryList,
  removed: number[],
  added: number[],
): Generator<Change, void, undefined> {
  removed.sort(byContent(before))
  added.sort(byContent(after))
  let at = 0
  for (const index of added) {
    const order = () => {
      const old = removed[at]
      return old === undefined ? 1 : contentOrder(before, old, after, index)
    }
    for (; at < removed.length && order() < 0; at++)
      yield { kind: 'removed', before: removed[at], after: undefined }
    // All empty files have the same content.
    const isRenamed = at < removed.length && order() === 0 && after.sizeBytes[index] !== 0
    yield isRenamed
      ? { kind: 'renamed', before: removed[at], after: index }
      : { kind: 'added', before: undefined, after: index }
    if (isRenamed) at++
  }
  for (; at < removed.length; at++) yield { kind: 'removed', before: removed[at], after: undefined }
}

const byContent = (list: EntryList) => (a: number, b: number) =>
  contentOrder(list, a, list, b) || textOrder(list.names[a], list.names[b])

const contentOrder = (a: EntryList, indexA: number, b: EntryList, indexB: number): number =>
  (a.checksums[indexA] ?? 0) - (b.checksums[indexB] ?? 0) ||
  (a.sizeBytes[indexA] ?? 0) - (b.sizeBytes[indexB] ?? 0)

const textOrder = (a = '', b = ''): number => (a < b ? -1 : Number(a > b))

function selects(
  before: EntryList,
  after: EntryList,
  { kinds, search }: EntryQuery,
): (change: Change) => boolean {
  const needle = search.toLowerCase()
  const includes = (names: readonly string[], index: number | undefined) =>
    index !== undefined && (names[index] ?? '').toLowerCase().includes(needle)
  return (change) =>
    kinds.includes(change.kind) &&
    (needle === '' || includes(after.names, change.after) || includes(before.names, change.before))
}

function orderOf(before: EntryList, after: EntryList, { sortBy, direction }: EntryQuery) {
  const sizesOf = (change: Change) =>
    [valueAt(before.sizeBytes, change.before), valueAt(after.sizeBytes, change.after)] as const
  const size = (change: Change) => Math.max(...sizesOf(change))
  const sizeChange = (change: Change) => {
    const [old, current] = sizesOf(change)
    return Math.abs(current - old)
  }
  const path = (change: Change) => nameOf(before, after, change)
  const sign = direction === 'asc' ? 1 : -1
  return (a: Change, b: Change): number => {
    if (sortBy === 'path') return sign * textOrder(path(a), path(b))
    const bySize = sign * (size(a) - size(b))
    const first = sortBy === 'size' ? bySize : sign * (sizeChange(a) - sizeChange(b))
    return first || bySize || textOrder(path(a), path(b))
  }
}

const nameOf = (before: EntryList, after: EntryList, change: Change): string | undefined =>
  change.after === undefined ? before.names[change.before ?? 0] : after.names[change.after]

function entryOf(before: EntryList, after: EntryList, change: Change): EntryChange {
  const sizes = (list: EntryList, index: number | undefined) => ({
    size: index === undefined ? null : (list.sizeBytes[index] ?? null),
    stored: index === undefined ? null : (list.storedBytes?.[index] ?? null),
    crc32: index === undefined ? null : (list.checksums[index] ?? 0).toString(16).padStart(8, '0'),
  })
  const [old, current] = [sizes(before, change.before), sizes(after, change.after)]
  return {
    kind: change.kind,
    path: shown(nameOf(before, after, change)),
    previous_path: change.kind === 'renamed' ? shown(before.names[change.before ?? 0]) : null,
    size_before_bytes: old.size,
    size_after_bytes: current.size,
    size_change_bytes: (current.size ?? 0) - (old.size ?? 0),
    compressed_before_bytes: old.stored,
    compressed_after_bytes: current.stored,
    crc32_before: old.crc32,
    crc32_after: current.crc32,
  }
}

/** Names can have 64 KiB. */
const maxShownLength = 2000
const shown = (name = ''): string => name.slice(0, maxShownLength)
