import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Service } from './service.ts'

export const cliProgram = join(import.meta.dirname, '../packages/cli/bin/quayside.js')
const execute = promisify(execFile)

/** Returns the environment in which `quayside` uses this service and keeps its files in `home`. */
export const cliEnvironment = (service: Service, home: string): Record<string, string | undefined> => ({
  PATH: process.env['PATH'],
  HOME: home,
  QUAYSIDE_SERVER: service.origin,
  QUAYSIDE_API_KEY: service.key,
})

/** Runs `quayside` and returns its standard output. BENCH_CLI_OPTIONS adds Node options, such as `--cpu-prof`. */
export async function runCli(args: string[], env: Record<string, string | undefined>): Promise<string> {
  const options = process.env['BENCH_CLI_OPTIONS']?.split(' ') ?? []
  const { stdout } = await execute(process.execPath, [...options, cliProgram, ...args], { env })
  return stdout
}
