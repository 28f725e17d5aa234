import fc from 'fast-check'
import { noFilter, type BuildFilter } from './build-filter.db.ts'
import { processingStates } from './inspection/build-inspection.db.ts'

type Ids = { streams: string[]; labels: string[]; targets: string[] }

export const platforms = ['linux', 'android', 'windows']
export const sources = ['ghactions', 'jenkins']
const times = ['2026-03-02T00:00:00.000000Z', '2026-03-03T13:00:00.000001Z', '2026-03-03T15:00:00Z']

/** Returns filters for each kind of stored count, and time ranges that begin or end in the middle of a day. */
export function edgeCases({ streams, labels }: Ids): BuildFilter[] {
  const facets = { platforms: ['android'], streamIds: streams.slice(0, 1), sources: ['jenkins'] }
  const ranges = [...times, undefined].flatMap((createdAfter) =>
    [...times, undefined].map((createdBefore) => ({ createdAfter, createdBefore })),
  )
  const filters: Partial<BuildFilter>[] = [
    {},
    { platforms },
    facets,
    { branches: ['main', 'next'], ...facets },
    { labelIds: labels.slice(2, 3), ...facets },
    { labelIds: labels.slice(0, 1), branches: ['main', 'next'], ...facets },
    { labelIds: labels.slice(0, 2) },
    { labelIds: labels, ...facets },
    { labelIds: [] },
    { labelIds: labels, branches: ['main'] },
    ...[{}, facets].map((filter) => ({ ...filter, kept: false })),
    ...ranges,
    ...ranges.map((range) => ({ ...range, platforms: ['android'] })),
  ]
  return filters.map((filter) => ({ ...noFilter, ...filter }))
}

/** Generates arbitrary combinations of filters. Type checking fails if a new filter has no generator here. */
export function anyFilter({ streams, labels, targets }: Ids): fc.Arbitrary<BuildFilter> {
  const maybe = <T>(value: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })
  const someOf = (values: string[]) => maybe(fc.subarray(values))
  const time = maybe(fc.constantFrom(...times))
  return fc.record<BuildFilter>({
    platforms: someOf(platforms),
    streamIds: someOf(streams),
    labelIds: someOf(labels),
    customTargetIds: someOf(targets),
    architectures: someOf(['x64', 'arm64v8', 'armv7', 'riscv']),
    sources: someOf(sources),
    branches: someOf(['main', 'next']),
    processing: someOf([...processingStates]),
    search: maybe(fc.constantFrom('main', '1.', 'nothing')),
    createdAfter: time,
    createdBefore: time,
    kept: maybe(fc.boolean()),
    trashed: maybe(fc.constant(true as const)),
  })
}
