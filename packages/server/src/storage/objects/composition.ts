import type { SealedObject, Segment, SegmentRange } from '../driver.ts'

/**
 * A file that consists of ranges of stored files and of new bytes. The segment of a range of new bytes is `newBytes`, and
 * its offset is that among all new bytes.
 */
export type Composition = Required<Pick<SealedObject, 'segments' | 'ranges'>>

export const newBytes = -1

/** Returns the ranges that make up an object. */
export const rangesOf = ({ segments, ranges }: Pick<SealedObject, 'segments' | 'ranges'>): SegmentRange[] =>
  ranges ?? segments.map(({ sizeBytes }, index) => [index, 0, sizeBytes])

/** Returns the number of bytes of the ranges of an object. */
export const sizeOfRanges = (object: Pick<SealedObject, 'segments' | 'ranges'>): number =>
  rangesOf(object).reduce((sum, [, , sizeBytes]) => sum + sizeBytes, 0)

/** Returns the number of bytes in the files of an object that belong to no other object. */
export const ownBytes = ({ segments }: Pick<SealedObject, 'segments'>): number =>
  segments.reduce((sum, { key, sizeBytes }) => sum + (key === undefined ? sizeBytes : 0), 0)

/** Returns the keys of the other objects whose files an object uses. */
export const sourceKeys = ({ segments }: Pick<SealedObject, 'segments'>): string[] => [
  ...new Set(segments.flatMap(({ key }) => key ?? [])),
]

/**
 * Collects the ranges of a file in their order. A range of a file that was itself composed is replaced with those of the
 * files that contain its bytes, so that no file depends on another composed one.
 */
export function createComposition() {
  const segments: Segment[] = []
  const ranges: SegmentRange[] = []
  const indexes = new Map<string, number>()
  const layouts = new Map<SealedObject, { ranges: SegmentRange[]; starts: number[] }>()
  let newSize = 0

  const layoutOf = (source: SealedObject) => {
    const known = layouts.get(source)
    if (known !== undefined) return known
    const ranges = rangesOf(source)
    const layout = { ranges, starts: startsOf(ranges) }
    layouts.set(source, layout)
    return layout
  }
  const add = (segment: number, offset: number, sizeBytes: number): void => {
    const last = ranges.at(-1)
    if (last?.[0] === segment && last[1] + last[2] === offset) last[2] += sizeBytes
    else ranges.push([segment, offset, sizeBytes])
  }
  const indexOf = (segment: Segment & { key: string }): number => {
    const id = `${segment.key}/${segment.name}`
    const index = indexes.get(id) ?? segments.push(segment) - 1
    indexes.set(id, index)
    return index
  }
  return {
    addNew(sizeBytes: number): void {
      add(newBytes, newSize, sizeBytes)
      newSize += sizeBytes
    },
    /** Adds a range of a stored object, which must contain it. */
    addStored(source: SealedObject, offset: number, sizeBytes: number): void {
      const { ranges: sourceRanges, starts } = layoutOf(source)
      const end = offset + sizeBytes
      for (let index = lastAtMost(starts, offset); index < sourceRanges.length; index++) {
        const [segmentIndex, segmentOffset, rangeBytes] = sourceRanges[index] as SegmentRange
        const start = starts[index] ?? 0
        if (start >= end) break
        const segment = source.segments[segmentIndex]
        if (segment === undefined)
          throw new Error(`the manifest of ${source.key} has no segment ${segmentIndex}`)
        const from = Math.max(offset, start)
        const length = Math.min(end, start + rangeBytes) - from
        if (length > 0)
          add(indexOf({ ...segment, key: segment.key ?? source.key }), segmentOffset + from - start, length)
      }
    },
    rangeCount: () => ranges.length,
    newSize: () => newSize,
    finish: (): Composition => ({ segments, ranges }),
  }
}

/** Returns the position of each range in an object. */
function startsOf(ranges: readonly SegmentRange[]): number[] {
  let start = 0
  return ranges.map(([, , sizeBytes]) => {
    const position = start
    start += sizeBytes
    return position
  })
}

/** Returns the index of the last number that is at most `value`; 0 if there is none. `sorted` is in ascending order. */
function lastAtMost(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((sorted[middle] ?? 0) <= value) low = middle
    else high = middle - 1
  }
  return low
}

/** Returns the object that a composition becomes once the new bytes are stored in `parts`. */
export function composeObject(key: string, parts: Segment[], composition: Composition): SealedObject {
  const composed = createComposition()
  const sent: SealedObject = { key, sizeBytes: 0, segments: parts }
  const stored = composition.segments.map((segment): SealedObject => ({
    key: segment.key ?? key,
    sizeBytes: segment.sizeBytes,
    segments: [segment],
  }))
  for (const [segment, offset, sizeBytes] of composition.ranges) {
    if (segment === newBytes) composed.addStored(sent, offset, sizeBytes)
    else composed.addStored(stored[segment] as SealedObject, offset, sizeBytes)
  }
  const { segments, ranges } = composed.finish()
  const own = segments.map(({ key: segmentKey, ...segment }) =>
    segmentKey === key ? segment : { ...segment, ...(segmentKey !== undefined && { key: segmentKey }) },
  )
  const object = { key, sizeBytes: sizeOfRanges({ segments, ranges }), segments: own }
  return isConcatenation(object.segments, ranges) ? object : { ...object, ranges }
}

const isConcatenation = (segments: Segment[], ranges: SegmentRange[]): boolean =>
  ranges.length === segments.length &&
  ranges.every(
    ([segment, offset, sizeBytes], index) =>
      segment === index && offset === 0 && sizeBytes === segments[index]?.sizeBytes,
  )
