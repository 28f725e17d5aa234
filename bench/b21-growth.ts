import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInstallation, type Size } from './growth/installation.ts'
import { measureSize } from './growth/measure.ts'
import { measureNodes } from './growth/nodes.ts'
import { comparePartitions } from './growth/partitions.ts'
import { printGrowth } from './growth/print-growth.ts'
import { type Measured, recordResults } from './growth/results.ts'
import { folderOption, option, save, textOption } from './report.ts'

// B21 measures services of several sizes: how large the database is, what requests, jobs and upkeep take, which statements are
// planned differently, whether partitions help, and what one, two and three nodes serve.
const sizes = textOption('sizes', '100000,1000000,10000000').split(',').map(Number)
const applications = option('applications', 1_000)
const workspaces = option('workspaces', 50)
const folder = folderOption('growth')
const options = {
  rounds: option('rounds', 7),
  uploads: option('uploads', 300),
  idleSeconds: option('idle', 5),
  pattern: new RegExp(textOption('only', '')),
}
const nodes = option('nodes', 3)
const seconds = option('seconds', 5)
/** The size with which nodes and partitions are measured. */
const middle = option('middle', sizes.at(-2) ?? sizes[0] ?? 0)
const partitionedBuilds = option('partitioned', 1_000_000)
const minApplications = 5
const minWorkspaces = 2
const keeps = process.argv.includes('--keep')

const measured: Measured = { sizes: [], nodes: [], partitions: [] }
for (const builds of sizes) {
  const own = join(folder, String(builds))
  const result = await measuredIn(own, sizeOf(builds))
  measured.sizes.push(...result.sizes)
  measured.nodes.push(...result.nodes)
  measured.partitions.push(...result.partitions)
  if (!keeps) await rm(own, { recursive: true, force: true })
}
const figures = printGrowth(measured)
await save('B21', measured, figures)
if (process.argv.includes('--record')) await recordResults(measured)

/** The number of applications and workspaces grows with the number of builds. */
function sizeOf(builds: number): Size {
  const share = builds / Math.max(...sizes)
  return {
    builds,
    applications: Math.max(minApplications, Math.round(applications * share)),
    workspaces: Math.max(minWorkspaces, Math.round(workspaces * share)),
  }
}

/** Returns the measurements of a size, which an earlier run may have kept with its folder. */
async function measuredIn(own: string, size: Size): Promise<Measured> {
  const file = join(own, 'measured.json')
  const kept = keeps ? await readFile(file, 'utf8').catch(() => undefined) : undefined
  if (kept !== undefined) return JSON.parse(kept) as Measured
  console.log(`\n${size.builds} builds: seeding`)
  const installation = await createInstallation(own, size)
  console.log(`${size.builds} builds: measuring`)
  const isMiddle = size.builds === middle
  const result: Measured = {
    sizes: [await measureSize(installation, options)],
    nodes: isMiddle && nodes > 0 ? await measureNodes(installation, { most: nodes, seconds }) : [],
    partitions:
      isMiddle && partitionedBuilds > 0 ? await comparePartitions(installation, partitionedBuilds) : [],
  }
  if (keeps) await writeFile(file, JSON.stringify(result))
  return result
}
