import { copyFile, mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { run } from './commands.ts'
import { measurePeers, type Transfer } from './delta-peers.ts'
import { startMeteredCli } from './metered-cli.ts'
import { realPairs, type RealPair } from './real-pairs.ts'
import { option, save, textOption } from './report.ts'

// B19 uploads and downloads the second of two published versions of a file where the first is known, and measures other
// programs on the same files.
const only = new RegExp(textOption('only', ''))
const patchMinutes = option('patch-minutes', 15)
const [old, next] = [textOption('old', ''), textOption('new', '')]
const given: RealPair = { name: basename(next), fetchFiles: async () => [resolve(old), resolve(next)] }

const temporary = await mkdtemp(join(tmpdir(), 'quayside-bench-pairs-'))
const results: Record<string, { fileBytes: number; transfers: Record<string, Transfer> }> = {}

function show(name: string, fileBytes: number, { bytes, seconds, cpuSeconds }: Transfer): void {
  const cpu = cpuSeconds === undefined ? '' : `, CPU ${cpuSeconds.toFixed(1)} s`
  console.log(
    `  ${name.padEnd(34)} ${(bytes / 1e6).toFixed(2).padStart(8)} MB  ${((100 * bytes) / fileBytes).toFixed(1).padStart(5)} %` +
      `  ${seconds.toFixed(1)} s${cpu}`,
  )
}

/** Measures what the second of two files transfers. */
async function measurePair([from, to]: [string, string], folder: string): Promise<Record<string, Transfer>> {
  const cli = await startMeteredCli(folder)
  const [program, target] = [join(folder, `uploaded-${basename(to)}`), join(folder, 'downloaded')]
  const upload = async (file: string, version: string) => {
    // The name of a file in a stream does not depend on its version.
    await copyFile(file, program)
    return cli.measure(['upload', program, '--version', version, '--no-scm', '--platform', 'generic'])
  }
  const download = async () => {
    const id = await cli.latestBuild()
    const measured = await cli.measure(['download', id, '--reuse', from, '--output', target, '--force'])
    await run('cmp', [to, target])
    await rm(target)
    return measured
  }
  try {
    await upload(from, '1.0.0')
    await cli.waitForIndex(await cli.latestBuild())
    const { sentBytes, ...uploaded } = await upload(to, '1.0.1')
    const id = await cli.latestBuild()
    await cli.waitForIndex(id)
    const transfers: Record<string, Transfer> = { 'upload: sent': { ...uploaded, bytes: sentBytes } }
    // The first download can come before the patch.
    transfers['download --reuse, chunks'] = await download()
    if ((await cli.waitForPatch(id, patchMinutes)) !== undefined)
      transfers['download --reuse, patch'] = await download()
    return transfers
  } finally {
    await cli.stop()
  }
}

try {
  for (const { name, fetchFiles } of next === ''
    ? realPairs.filter((pair) => only.test(pair.name))
    : [given]) {
    const folder = join(temporary, name.replaceAll(/\W+/g, '-'))
    await mkdir(folder)
    const files = await fetchFiles(folder)
    const fileBytes = (await stat(files[1])).size
    console.log(`\n${name}, ${(fileBytes / 1e6).toFixed(1)} MB`)
    const transfers = {
      ...(await measurePair(files, folder)),
      ...(await measurePeers({ files, temporary: folder })),
    }
    for (const [transfer, measured] of Object.entries(transfers)) show(transfer, fileBytes, measured)
    results[name] = { fileBytes, transfers }
    await rm(folder, { recursive: true })
  }
  const figures = Object.entries(results).flatMap(([pair, { fileBytes, transfers }]) =>
    Object.entries(transfers).map(([name, { bytes }]) => ({
      name: `${pair}, ${name}`,
      value: bytes / fileBytes,
    })),
  )
  await save('B19', { results }, figures)
} finally {
  await rm(temporary, { recursive: true, force: true })
}
