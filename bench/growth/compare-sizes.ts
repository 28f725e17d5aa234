import type { RequestResult, SizeResult } from './measure.ts'
import type { Executed } from './plans.ts'

/** A statement whose plan or cost differs between the smallest and a larger size. */
export type Difference = {
  where: string
  name: string
  text: string
  builds: number[]
  buffers: number[]
  ms: number[]
  /** What is read at each size; only the first one if all are equal. */
  paths: string[]
}

const largestGrowth = 2
/** Fewer blocks are not worth mentioning. */
const minBuffers = 100
/** Indexes and tables that grow with the number of builds. Others are small enough to be read in any way. */
const growing =
  /^(builds|build_counts|build_labels|build_readings|files|stored_objects|changes|audit_entries|daily_statistics)/

/** Returns the statements that are planned differently or read more than twice as much in a larger service. */
export function differences(sizes: readonly SizeResult[]): Difference[] {
  const [smallest] = sizes
  if (smallest === undefined) return []
  const builds = sizes.map(({ size }) => size.builds)
  const results = smallest.requests.flatMap((request) => {
    const same = sizes.map(({ requests }) =>
      requests.find(({ name, where }) => name === request.name && where === request.where),
    )
    return request.statements.flatMap((statement, index) => {
      const found = same.map((result) => findStatement(result, statement, index))
      return describe(found, { where: request.where, name: request.name, text: statement.text, builds })
    })
  })
  const jobs = (sizes.at(-1)?.jobStatements ?? []).flatMap((statement) => {
    const found = sizes.map(({ jobStatements }) => jobStatements.find(({ text }) => text === statement.text))
    return describe(found, { where: 'jobs', name: 'scheduled jobs', text: statement.text, builds })
  })
  return [...results, ...jobs]
}

function findStatement(
  result: RequestResult | undefined,
  { text }: Executed,
  index: number,
): Executed | undefined {
  return result?.statements.find((statement) => statement.text === text) ?? result?.statements[index]
}

function describe(
  found: readonly (Executed | undefined)[],
  common: Pick<Difference, 'where' | 'name' | 'text' | 'builds'>,
): Difference[] {
  const buffers = found.map((statement) => statement?.buffers ?? 0)
  const paths = found.map((statement) => describePaths(statement?.paths ?? []))
  const isPlannedAlike = new Set(paths.filter((path) => path !== '')).size <= 1
  const most = Math.max(...buffers)
  const grows = most > largestGrowth * (buffers[0] ?? 0)
  if (most < minBuffers || (isPlannedAlike && !grows)) return []
  const ms = found.map((statement) => statement?.ms ?? 0)
  return [{ ...common, buffers, ms, paths: isPlannedAlike ? paths.slice(-1) : paths }]
}

function describePaths(paths: readonly string[]): string {
  const large = paths.filter((path) => growing.test(path.split(' ').at(-1) ?? ''))
  return [...new Set(large.map((path) => path.replace('Bitmap Index', 'Index')))].toSorted().join(', ')
}
