export type Version = { major: number; minor: number; patch: number; extra: string | null }
export type Stream = { ref: number; name: string }
export type Label = { ref: number; name: string; level: 'application' | 'workspace' }
export type Build = {
  ref: number
  version: Version
  platform: string
  stream: number
  labels: Set<number>
  notes: string | null
  keepForever: boolean
  sizeBytes: number
  isTrashed: boolean
}
export type Release = {
  ref: number
  title: string
  version: Version
  builds: Set<number>
  labels: Set<number>
  status: 'draft' | 'scheduled' | 'published' | 'withdrawn'
  wasPublished: boolean
}
export type Link = {
  ref: number
  shared: { build: number } | { release: number }
  hasPassword: boolean
  maxDownloads: number | null
  downloadCount: number
  isActive: boolean
}
/** An upload that has been requested but not verified. */
export type Pending = { ref: number; stream: number; sizeBytes: number; version: Version }

/** The expected state of the service after each step, derived from the contract alone. */
export type Model = {
  lastRef: number
  isTrashed: boolean
  streams: Stream[]
  labels: Label[]
  builds: Build[]
  releases: Release[]
  links: Link[]
  pending: Pending[]
}

export const emptyModel = (): Model => ({
  lastRef: 0,
  isTrashed: false,
  streams: [],
  labels: [],
  builds: [],
  releases: [],
  links: [],
  pending: [],
})

export const newRef = (model: Model): number => ++model.lastRef

export const pick = <T>(list: readonly T[], number: number): T => {
  const item = list[number % list.length]
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}

export const byRef = <T extends { ref: number }>(list: readonly T[], ref: number): T => {
  const item = list.find((one) => one.ref === ref)
  if (item === undefined) throw new Error(`nothing has the reference ${ref}`)
  return item
}

export const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** Returns the labels with these names and creates missing labels. Prefers application labels to workspace labels. */
export function labelsNamed(model: Model, names: readonly string[]): Set<number> {
  const found = names.map((name) => {
    const same = model.labels.filter((label) => sameName(label.name, name))
    const known = same.find(({ level }) => level === 'application') ?? same[0]
    if (known !== undefined) return known.ref
    const created: Label = { ref: newRef(model), name, level: 'application' }
    model.labels.push(created)
    return created.ref
  })
  return new Set(found)
}

export const textOf = ({ major, minor, patch, extra }: Version): string =>
  `${major}.${minor}.${patch}${extra === null ? '' : `-${extra}`}`

/** Compares versions according to the precedence rules of SemVer 2.0.0 (clause 11). */
export function compareVersions(a: Version, b: Version): number {
  const numbers = a.major - b.major || a.minor - b.minor || a.patch - b.patch
  if (numbers !== 0 || a.extra === b.extra) return numbers
  if (a.extra === null || b.extra === null) return a.extra === null ? 1 : -1
  const [aParts, bParts] = [a.extra.split('.'), b.extra.split('.')]
  for (const [index, one] of aParts.entries()) {
    const other = bParts[index]
    if (other === undefined) return 1
    const difference = compareIdentifiers(one, other)
    if (difference !== 0) return difference
  }
  return aParts.length - bParts.length
}

function compareIdentifiers(a: string, b: string): number {
  const [isANumber, isBNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)]
  if (isANumber && isBNumber) return Number(a) - Number(b)
  if (isANumber !== isBNumber) return isANumber ? -1 : 1
  return a < b ? -1 : a > b ? 1 : 0
}
