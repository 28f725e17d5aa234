import type { Figure } from '../report.ts'
import { differences } from './compare-sizes.ts'
import type { SizeResult } from './measure.ts'
import type { Measured } from './results.ts'

/** Prints what B21 measured and returns its figures. */
export function printGrowth({ sizes, nodes, partitions }: Measured): Figure[] {
  console.log(`\nB21   ${sizes.map(({ size }) => size.builds).join(' → ')} builds`)
  for (const size of sizes) printSize(size)
  printRequests(sizes)
  for (const { where, name, text, buffers, ms, paths } of differences(sizes)) {
    console.log(`  ${where}, ${name}: ${buffers.join(' → ')} blocks, ${ms.map(short).join(' → ')} ms`)
    console.log(`    ${text.slice(0, 110)}`)
    for (const path of paths) console.log(`    ${path}`)
  }
  for (const { layout, builds, bytes, queries, insertsPerSecond, vacuumSeconds } of partitions) {
    console.log(
      `  ${layout}, ${builds} builds, ${megabytes(bytes)} MB, ${short(insertsPerSecond)} inserts/s,`,
    )
    console.log(`    vacuum ${short(vacuumSeconds)} s`)
    for (const [name, { planMs, ms, buffers }] of Object.entries(queries))
      console.log(`    ${name.padEnd(32)} plan ${short(planMs)} ms, run ${short(ms)} ms, ${buffers} blocks`)
  }
  for (const { nodes: count, list, upload, idle, connections, memoryMb } of nodes) {
    const show = ({ perSecond, nodeMs, databaseMs }: typeof list) =>
      `${short(perSecond)}/s, ${short(nodeMs)} ms node + ${short(databaseMs)} ms database`
    console.log(`  ${count} nodes: list ${show(list)}; upload ${show(upload)};`)
    console.log(
      `    idle ${short(idle.transactionsPerSecond)} transactions/s, CPU ${short(idle.nodeCpuPercent)} % of a core per node, ` +
        `${short(idle.databaseCpuPercent)} % in the database; ${connections} connections, ${memoryMb} MB`,
    )
  }
  return figuresOf(sizes)
}

function printSize({ size, databaseBytes, tables, jobs, upload, upkeep }: SizeResult): void {
  const { builds, seeding } = size
  const bytes = Math.round(databaseBytes / builds)
  console.log(
    `  ${builds} builds: database ${megabytes(databaseBytes)} MB, ${bytes} bytes per build; seeded in ` +
      `${short(seeding.rowsSeconds)} s, counted in ${short(seeding.countsSeconds)} s; ` +
      `WAL ${Math.round(upload.walBytes)} bytes per upload; analyze ${short(upkeep.analyzeSeconds)} s, ` +
      `vacuum ${short(upkeep.vacuumSeconds)} s`,
  )
  for (const { name, bytes: heap, indexes } of tables.slice(0, 8)) {
    const sizes = Object.entries(indexes).map(
      ([index, size]) =>
        `${index} ${Math.round(size / builds)} (${short(seeding.indexSeconds[index] ?? 0)} s)`,
    )
    console.log(`    ${name}: ${Math.round(heap / builds)} bytes per build; ${sizes.join(', ')}`)
  }
  const slow = Object.entries(jobs).filter(([, seconds]) => seconds >= 0.5)
  console.log(`    jobs: ${slow.map(([name, seconds]) => `${name} ${short(seconds)} s`).join(', ')}`)
}

function printRequests(sizes: readonly SizeResult[]): void {
  for (const { name, where } of sizes[0]?.requests ?? []) {
    const found = sizes.flatMap(({ requests }) =>
      requests.filter((request) => request.name === name && request.where === where),
    )
    const times = found.map(({ ms, firstMs }) => `${short(ms)} (${short(firstMs)})`).join(' → ')
    const buffers = found
      .map(({ statements }) => statements.reduce((sum, statement) => sum + statement.buffers, 0))
      .join(' → ')
    console.log(`  ${`${where}: ${name}`.padEnd(48)} ${times} ms; ${buffers} blocks`)
  }
}

const figuresOf = (sizes: readonly SizeResult[]): Figure[] =>
  sizes.flatMap(({ size, databaseBytes, requests }) => {
    const worst = Math.max(...requests.filter(({ where }) => where === 'steady').map(({ ms }) => ms))
    return [
      { name: `database, ${size.builds} builds`, value: databaseBytes / 1_048_576, unit: 'MB' },
      { name: `slowest request, 10,000 of ${size.builds} builds`, value: worst, unit: 'ms' },
    ]
  })

const short = (value: number): string => String(Number(value.toPrecision(3)))
const megabytes = (bytes: number): number => Math.round(bytes / 1_048_576)
