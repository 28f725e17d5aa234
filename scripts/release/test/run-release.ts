import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { steps } from '../steps.ts'

/** All but the Debian packages, which take longer than all others. debian-package.ci.test.ts builds them. */
export const fastSteps = steps.flatMap(({ name }) => (name === 'debian' ? [] : [name])).join()

export type Outcome = { code: number; output: string }

/** Runs `npm run release` in a checkout. `env` contains additional environment variables. */
export const runRelease = (
  checkout: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Outcome> =>
  runProgram(process.execPath, ['--conditions=@quayside/source', join('scripts/release.ts'), ...args], {
    cwd: checkout,
    env: { ...process.env, ...env },
  })

/** Runs a program, and returns its exit code and everything that it prints. */
export function runProgram(
  program: string,
  args: readonly string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(program, args, { ...options, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
      resolve({ code, output: `${stdout}${stderr}` })
    })
  })
}
