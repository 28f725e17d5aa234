import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Runs a command and returns its standard output. Throws if it fails. */
export async function run(command: string, args: string[]): Promise<string> {
  const { stdout } = await execute(command, args, { maxBuffer: 16 * 1024 * 1024 })
  return stdout
}

/** Returns the path of a command. Exits with installation instructions if the command is not installed. */
export async function requireCommand(command: string, install: string): Promise<string> {
  for (const path of [command, `/usr/sbin/${command}`]) {
    const found = await run('sh', ['-c', `command -v ${path}`]).catch(() => '')
    if (found !== '') return found.trim()
  }
  console.error(`\nThis benchmark compares Quayside to ${command}, which is not installed. Run ${install}`)
  return process.exit(1)
}

/** Returns whether a command is installed. */
export const isInstalled = (command: string): Promise<boolean> =>
  run('sh', ['-c', `command -v ${command}`]).then(
    () => true,
    () => false,
  )

/** Returns the duration of `work` in seconds. */
export async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

/** Runs a command and returns the CPU time that it used, in milliseconds. Throws if it fails. */
export async function childCpuMilliseconds(
  command: string,
  args: string[],
  env: Record<string, string | undefined>,
): Promise<number> {
  // bash reports the resource usage of the child in milliseconds. Node and other shells do not.
  const script = 'TIMEFORMAT="%U %S"; time "$@" >/dev/null'
  const { stderr } = await execute('bash', ['-c', script, 'bash', command, ...args], { env })
  const [user, system] = (stderr.trim().split('\n').at(-1) ?? '').split(' ')
  return (Number(user) + Number(system)) * 1000
}
