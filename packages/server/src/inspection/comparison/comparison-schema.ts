import { Type, type Static, type TSchema } from 'typebox'
import { reportedText } from '../../lib/reported-text.ts'
import { createChildResultCheck } from '../child-result-check.ts'

export const changeKinds = ['added', 'removed', 'changed', 'renamed'] as const
export type ChangeKind = (typeof changeKinds)[number]

export const sortKeys = ['size_change', 'size', 'path'] as const

/** Selects changed entries. */
export type EntryQuery = {
  kinds: readonly ChangeKind[]
  /** A part of the path, or an empty string. */
  search: string
  sortBy: (typeof sortKeys)[number]
  direction: 'asc' | 'desc'
  offset: number
  limit: number
}

const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const bytes = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description })
const crc32 = (description: string) => Nullable(Type.String({ pattern: '^[0-9a-f]{8}$', description }))

export const EntryChange = Type.Object(
  {
    kind: Type.Enum([...changeKinds], {
      description: '`renamed`: an entry with the same size and CRC-32 has another path in the earlier build.',
    }),
    path: Type.String({ description: 'Path in the archive, of at most 1,000 characters.' }),
    previous_path: Nullable(
      Type.String({ description: 'Path in the earlier build if the entry was renamed.' }),
    ),
    size_before_bytes: Nullable(bytes('Size in the earlier build; `null` if the entry was added.')),
    size_after_bytes: Nullable(bytes('Size in this build; `null` if the entry was removed.')),
    size_change_bytes: Type.Integer({ description: 'Size in this build minus that in the earlier build.' }),
    compressed_before_bytes: Nullable(
      bytes('Size in the archive of the earlier build; `null` for tar archives.'),
    ),
    compressed_after_bytes: Nullable(bytes('Size in the archive of this build; `null` for tar archives.')),
    crc32_before: crc32('CRC-32 in the earlier build.'),
    crc32_after: crc32('CRC-32 in this build.'),
  },
  { title: 'EntryChange' },
)
export type EntryChange = Static<typeof EntryChange>

const Totals = Type.Object(
  {
    entry_count: count,
    size_before_bytes: bytes('Sum of the sizes in the earlier build.'),
    size_after_bytes: bytes('Sum of the sizes in this build.'),
    compressed_before_bytes: Nullable(bytes('Sum of the sizes in the archive; `null` for tar archives.')),
    compressed_after_bytes: Nullable(bytes('Sum of the sizes in the archive; `null` for tar archives.')),
  },
  { title: 'EntryChangeTotals' },
)
export type Totals = Static<typeof Totals>

export const EntryTotals = Type.Object(
  { added: Totals, removed: Totals, changed: Totals, renamed: Totals, unchanged: Totals },
  { title: 'EntryTotals' },
)

const unreadableCodes = ['unsupported', 'encrypted', 'invalid', 'too_large', 'failed'] as const
export type UnreadableCode = (typeof unreadableCodes)[number]

export const UnreadableEntries = Type.Object(
  {
    code: Type.Enum([...unreadableCodes], {
      description:
        '`unsupported`: the format cannot be opened. `encrypted`: the archive is encrypted. `invalid`: the archive is damaged or unsafe. `too_large`: it has more entries or data than the server reads. `failed`: reading it took too much time or memory.',
    }),
    build: Type.Enum(['before', 'after'], {
      description: 'Which build has the file: the earlier one (`before`) or this one (`after`).',
    }),
    message: Type.String(),
  },
  { title: 'UnreadableEntries' },
)

/** What a process reports about two files. */
const Result = Type.Object({
  unreadable: Nullable(UnreadableEntries),
  totals: Nullable(EntryTotals),
  shared_bytes: Nullable(count),
  total: count,
  entries: Type.Array(EntryChange),
})
export type ComparisonResult = Static<typeof Result>

const maxTextLength = 1000
const isResult = createChildResultCheck(Result)

/**
 * Returns the result of a comparison with bounded and printable text, or undefined if it does not match the schema. The
 * child process is not trusted, because it has parsed the files.
 */
export function checkedComparison(value: unknown, { limit }: EntryQuery): ComparisonResult | undefined {
  if (!isResult(value) || value.entries.length > limit) return undefined
  const { unreadable } = value
  return {
    ...value,
    unreadable: unreadable && { ...unreadable, message: reportedText(unreadable.message, maxTextLength) },
    entries: value.entries.map((entry) => ({
      ...entry,
      path: reportedText(entry.path, maxTextLength),
      previous_path: entry.previous_path && reportedText(entry.previous_path, maxTextLength),
    })),
  }
}
