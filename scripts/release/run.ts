import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const maxOutputBytes = 64 * 1024 * 1024

type Options = { cwd: string; env?: NodeJS.ProcessEnv }

/** Runs a program and returns its output. Throws with its error output if it fails. */
export async function run(program: string, args: readonly string[], options: Options): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { ...options, maxBuffer: maxOutputBytes })
  return stdout
}
