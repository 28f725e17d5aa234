import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ReleaseError } from '../release-error.ts'
import { run } from '../run.ts'
import { fetchNode } from './node-programs.ts'
import { hostTarget, type Target } from './targets.ts'

/** What Node reads with `--build-sea`. The executable contains the path of the script, so paths are relative. */
const configuration = (script: string, executable: string, output: string): object => ({
  main: script,
  mainFormat: 'module',
  executable,
  output,
  disableExperimentalSEAWarning: true,
  // The code cache of V8 is only valid for the platform that writes it.
  useCodeCache: false,
})

/**
 * Embeds a script, whose path is relative to `work`, into the Node of a target. Writes other files to the folder `work`.
 * Throws `ReleaseError` on machines for which there is no Node that can embed.
 */
export async function embedScript(
  root: string,
  target: Target,
  { script, work }: { script: string; work: string },
): Promise<Buffer> {
  const host = hostTarget()
  if (host === undefined)
    throw new ReleaseError(
      `Executables cannot be built on ${process.platform} ${process.arch}. Use Linux, macOS or Windows.`,
    )
  const builder = join(await fetchNode(root, host), host.nodePath)
  const [node, output, config] = [`node-${target.name}`, `out-${target.program}`, `${target.name}.json`]
  const original = await readFile(join(await fetchNode(root, target), target.nodePath))
  await writeFile(join(work, node), target.prepare(original))
  await writeFile(join(work, config), JSON.stringify(configuration(script, node, output)))
  await run(builder, ['--build-sea', config], { cwd: work, env: {} })
  return target.finish(await readFile(join(work, output)))
}
