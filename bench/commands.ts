import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Runs a command to its end; throws with what it said when it fails. */
export async function run(command: string, args: string[]): Promise<string> {
  const { stdout } = await execute(command, args, { maxBuffer: 16 * 1024 * 1024 })
  return stdout
}

/** Says how to install a peer and ends the benchmark, rather than measuring against nothing. */
export async function requireCommand(command: string, install: string): Promise<string> {
  for (const path of [command, `/usr/sbin/${command}`]) {
    const found = await run('sh', ['-c', `command -v ${path}`]).catch(() => '')
    if (found !== '') return found.trim()
  }
  console.error(`\nThis benchmark measures itself against ${command}, which is not installed: ${install}`)
  return process.exit(1)
}

export async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}
