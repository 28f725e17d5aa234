import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from './commands.ts'
import { measurePeers } from './delta-peers.ts'
import { createGameFolder } from './game-folder.ts'
import { startMeteredCli, type Measured } from './metered-cli.ts'
import { type Figure, median, option, save } from './report.ts'

// B13 uploads the nightly builds of a game folder, of which 3 % change every night, and syncs older copies with the last one. All
// bytes on the connections of the command line are counted.
const sizeMb = option('size-mb', 2000)
const nights = option('nights', 30)
const maxRatio = 1.3

const temporary = await mkdtemp(join(tmpdir(), 'quayside-bench-nights-'))
const [build, first, previous, archives] = ['Game', 'first', 'previous', 'archives'].map((name) =>
  join(temporary, name),
) as [string, string, string, string]
const cli = await startMeteredCli(temporary)
const { service, measure, latestBuild } = cli
for (const folder of [build, archives]) await mkdir(folder)
const game = await createGameFolder(build, sizeMb * 1e6)

const upload = (night: number) => measure(['upload', build, '--version', `1.0.${night}`, '--no-scm'])
/** Returns the kibibytes that the service has on disk, without its database. */
const diskKib = async () => {
  const output = await run('du', ['-sk', '--exclude=postgres', join(service.folder, 'data')])
  return Number(output.split('\t')[0])
}

const figures: Figure[] = []
type Goal = { goal?: number; more?: string }
const show = (name: string, bytes: number, changed: number, { goal, more = '' }: Goal = {}) => {
  const ratio = bytes / changed
  figures.push({ name, value: ratio, ...(goal !== undefined && { atMost: goal }) })
  const verdict = goal === undefined ? '' : ` (goal ${goal}: ${ratio <= goal ? 'met' : 'NOT met'})`
  console.log(
    `  ${name.padEnd(34)} ${(bytes / 1e6).toFixed(2).padStart(9)} MB of ${(changed / 1e6).toFixed(2)} MB changed  ` +
      `ratio ${ratio.toFixed(2)}${verdict}${more}`,
  )
}
const costs = ({ seconds: time, cpuSeconds: cpu }: { seconds: number; cpuSeconds?: number }) =>
  `  ${time.toFixed(1)} s${cpu === undefined ? '' : `, CPU ${cpu.toFixed(1)} s`}`

const uploads: (Measured & { night: number; changedBytes: number; diskKib: number })[] = []
for (let night = 1; night <= nights; night++) {
  if (night > 1) await game.changeOvernight()
  const diskBefore = await diskKib()
  const changedBytes = game.changedSince(night - 1)
  const measured = await upload(night)
  uploads.push({ night, changedBytes, ...measured, diskKib: (await diskKib()) - diskBefore })
  const { sentBytes, seconds } = measured
  console.log(
    `night ${night} of ${nights}: sent ${(sentBytes / 1e6).toFixed(2)} MB in ${seconds.toFixed(1)} s`,
  )
  const id = await latestBuild()
  await cli.waitForIndex(id)
  if (night === 1) await cli.run(['sync', id, first])
  if (night === nights - 1) {
    await cli.run(['sync', id, previous])
    await cp(build, join(temporary, 'before'), { recursive: true })
    await cli.run(['download', id, '--output', join(archives, 'before.zip')])
  }
}
const last = await latestBuild()

console.log(`\nB13: ${nights} nights of a folder of ${sizeMb} MB`)
const later = uploads.filter(({ night }) => night > 1)
const medianOf = (value: (each: (typeof later)[number]) => number) => median(later.map(value))
const changedByNight = medianOf(({ changedBytes }) => changedBytes)
const uploadCosts = {
  seconds: medianOf((each) => each.seconds),
  cpuSeconds: medianOf((each) => each.cpuSeconds),
}
show(
  'upload, median night: sent',
  medianOf(({ sentBytes }) => sentBytes),
  changedByNight,
  { goal: maxRatio, more: costs(uploadCosts) },
)
show(
  'upload, median night: fetched',
  medianOf(({ bytes }) => bytes),
  changedByNight,
)
show(
  'disk, median night',
  medianOf((each) => each.diskKib * 1024),
  changedByNight,
)
const syncs: Record<string, Measured & { changedBytes: number }> = {}
for (const [folder, night] of [
  [previous, nights - 1],
  [first, 1],
] as const) {
  const measured = await measure(['sync', last, folder])
  const changedBytes = game.changedSince(night)
  const name = `sync from night ${night} to ${nights}`
  syncs[name] = { ...measured, changedBytes }
  show(`${name}: fetched`, measured.bytes, changedBytes, { goal: maxRatio, more: costs(measured) })
  await run('diff', ['-r', '--no-dereference', '--exclude=.quayside', build, folder])
}
const reuse = ['--reuse', join(archives, 'before.zip'), '--output', join(archives, 'after.zip')]
const reused = await measure(['download', last, ...reuse])
const changedBytes = game.changedSince(nights - 1)
show('download --reuse: fetched', reused.bytes, changedBytes, { more: costs(reused) })
const peers = await measurePeers({
  folders: [join(temporary, 'before'), build],
  files: [join(archives, 'before.zip'), join(archives, 'after.zip')],
  temporary,
})
for (const [name, peer] of Object.entries(peers)) show(name, peer.bytes, changedBytes, { more: costs(peer) })
const peakMemoryMb = await service.peakMemoryMb()
console.log(`  peak server memory, MB: ${peakMemoryMb}`)
await save('B13', { sizeMb, nights, uploads, syncs, reused, peers, peakMemoryMb }, figures)
await cli.stop()
await rm(temporary, { recursive: true, force: true })
