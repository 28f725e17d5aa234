import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { jsonInProcess, runInProcess } from './run-in-process.ts'
import type { Service } from './running-server.ts'

export type Report = {
  application_id: string
  builds: number
  failed_builds: number
  releases: number
  not_imported: { what: string; reason: string }[]
}
export type Started = { args: string[]; env: Record<string, string> }

/** Returns the arguments of an import with a new record. */
export const importArgs = ({ folder }: Service, { args }: Started, ...more: string[]): string[] => [
  'import',
  ...args,
  '--state',
  join(folder, randomUUID()),
  ...more,
]

export const importAll = (service: Service, started: Started, ...more: string[]): Promise<Report> =>
  jsonInProcess<Report>(service, importArgs(service, started, ...more), { env: started.env })

/** Imports and returns the report of a run that fails, because builds could not be imported. */
export async function importSome(service: Service, started: Started, ...args: string[]): Promise<Report> {
  const all = [...(args.length > 0 ? args : importArgs(service, started)), '--json']
  const { code, stdout, stderr } = await runInProcess(service, all, { env: started.env })
  assert.equal(code, 1, stderr)
  assert.match(stderr, /\d builds? could not be imported\. The report lists the reasons\./)
  return JSON.parse(stdout) as Report
}

/** Returns what was not imported of this application, without what is never imported. */
export const missingOf = ({ not_imported: all }: Report): string[][] =>
  all.slice(0, -1).map(({ what, reason }) => [what, reason])
