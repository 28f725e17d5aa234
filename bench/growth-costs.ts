import { join } from 'node:path'
import { readResults } from './growth/results.ts'
import { option } from './report.ts'

// Prints what services of several sizes need and cost per month, from the measurements in results/growth.json. Every
// assumption and price is an option.
const averageMb = option('average-mb', 100)
const months = option('months', 24)
const requestsPerBuild = option('requests-per-build', 50)
const downloadsPerBuild = option('downloads-per-build', 5)
const peak = option('peak', 10)
const usage = option('usage', 0.5)
const hotShare = option('hot-share', 0.25)
const prices = {
  nodeCore: option('node-core-price', 30),
  databaseCore: option('database-core-price', 90),
  diskGb: option('disk-price', 0.115),
  bucketGb: option('bucket-price', 0.023),
  thousandPuts: option('put-price', 0.005),
  thousandGets: option('get-price', 0.0004),
  egressGb: option('egress-price', 0.09),
}
const gbPerDatabaseCore = 8
const minDatabaseCores = 2
const partMb = 16
/** Requests of an upload besides its parts: to create, complete, copy and delete, and to check and read the file. */
const extraPuts = 4
const getsPerBuild = 6

const { sizes, nodes } = readResults(join(import.meta.dirname, '..'))
const largest = sizes.at(-1)
const [node] = nodes
if (largest === undefined || node === undefined)
  throw new Error('results/growth.json has no sizes or no nodes')
const databaseBytesPerBuild = largest.databaseBytes / largest.size.builds
const walBytesPerBuild = largest.upload.walBytes

const computed = [100_000, 1_000_000, 10_000_000, 100_000_000].map((builds) => {
  const measured = sizes.find(({ size }) => size.builds === builds)
  const databaseGb = (measured?.databaseBytes ?? builds * databaseBytesPerBuild) / 1e9
  const uploads = builds / (months * 30 * 86_400)
  const uploadsAtPeak = uploads * peak
  const requestsAtPeak = uploadsAtPeak * requestsPerBuild
  const cores = (of: 'nodeMs' | 'databaseMs') =>
    (uploadsAtPeak * node.upload[of] + requestsAtPeak * node.list[of]) / 1_000 / usage
  const hotGb = databaseGb * hotShare
  const nodeCores = Math.max(1, Math.ceil(cores('nodeMs')))
  const databaseCores = Math.max(
    minDatabaseCores,
    Math.ceil(cores('databaseMs')),
    Math.ceil(hotGb / gbPerDatabaseCore),
  )
  const perMonth = builds / months
  const bucketGb = (builds * averageMb) / 1_000
  const puts = perMonth * (Math.ceil(averageMb / partMb) + extraPuts)
  const gets = perMonth * (getsPerBuild + downloadsPerBuild)
  const egressGb = (perMonth * downloadsPerBuild * averageMb) / 1_000
  return {
    builds,
    isMeasured: measured !== undefined,
    databaseGb,
    hotGb,
    walGbPerDay: (uploads * 86_400 * walBytesPerBuild) / 1e9,
    uploadsAtPeak,
    requestsAtPeak,
    nodes: nodeCores,
    databaseCores,
    bucketGb,
    costs: {
      nodes: nodeCores * prices.nodeCore,
      database: databaseCores * prices.databaseCore + databaseGb * 2 * prices.diskGb,
      bucket:
        bucketGb * prices.bucketGb +
        (puts / 1_000) * prices.thousandPuts +
        (gets / 1_000) * prices.thousandGets,
      downloads: egressGb * prices.egressGb,
    },
  }
})

const number = (value: number): string => Number(value.toPrecision(3)).toLocaleString('en-US')
const dollars = (value: number): string => `$${number(Math.round(value))}`
const rows: [string, (size: (typeof computed)[number]) => string][] = [
  ['database, GB', ({ databaseGb, isMeasured }) => `${number(databaseGb)}${isMeasured ? '' : ' (computed)'}`],
  ['memory for hot indexes, GB', ({ hotGb }) => number(hotGb)],
  ['WAL per day, GB', ({ walGbPerDay }) => number(walGbPerDay)],
  ['uploads per second at peak', ({ uploadsAtPeak }) => number(uploadsAtPeak)],
  ['other requests per second at peak', ({ requestsAtPeak }) => number(requestsAtPeak)],
  ['node cores', ({ nodes }) => String(nodes)],
  ['database cores', ({ databaseCores }) => String(databaseCores)],
  ['bucket, TB', ({ bucketGb }) => number(bucketGb / 1_000)],
  ['nodes per month', ({ costs }) => dollars(costs.nodes)],
  ['database per month', ({ costs }) => dollars(costs.database)],
  ['bucket per month', ({ costs }) => dollars(costs.bucket)],
  ['downloads per month', ({ costs }) => dollars(costs.downloads)],
]
console.log(`| | ${computed.map(({ builds }) => `${number(builds)} builds`).join(' | ')} |`)
console.log(`|---|${computed.map(() => '---|').join('')}`)
for (const [name, show] of rows) console.log(`| ${name} | ${computed.map(show).join(' | ')} |`)
