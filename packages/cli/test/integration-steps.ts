import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { jsonInProcess } from './run-in-process.ts'
import type { Service } from './running-server.ts'

export type Build = {
  version: string
  stream: { name: string }
  labels: { name: string }[]
  build_source: string
  build_number: string | null
  platform: { identifier: string }
  primary_file: { filename: string }
  metadata_artifacts: { filename: string }[]
}

/** The folder with the integrations. */
export const integrationsFolder = join(import.meta.dirname, '../../../integrations')

const isInstalled = (program: string) => spawnSync(program, ['--version']).status === 0

/** The reason why the steps of integrations cannot run, or false. */
export const missingPrograms = ['bash', 'curl'].every(isInstalled) ? false : 'requires bash and curl'

/** Runs a program as a CI runner does, with the Node that runs the tests and nothing else from this environment. */
export function runStep(
  service: Service,
  [program = '', ...args]: string[],
  { cwd, env }: { cwd: string; env: Record<string, string> },
) {
  const path = `${dirname(process.execPath)}:/usr/bin:/bin`
  return promisify(execFile)(program, args, { cwd, env: { PATH: path, HOME: service.folder, ...env } })
}

/** Replaces the names in a text, such as `${{ inputs.file }}`, with their values. */
export const fill = (text: string, pattern: RegExp, values: Record<string, string>): string =>
  text.replaceAll(pattern, (_, name: string) => {
    assert.ok(values[name] !== undefined, `${name} is not defined`)
    return values[name]
  })

/** Returns the lines `NAME=value` of a text. */
export const readVariables = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

export const findBuild = (service: Service, id: string | undefined): Promise<Build> =>
  jsonInProcess<Build>(service, ['builds', 'view', id ?? ''])
