import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { before, test } from 'node:test'
import { expectOk, put } from './client.ts'
import type { Service } from './npm-start.ts'
import { sharedService } from './one-start.ts'
import { descendantsOf, isRunning } from './processes.ts'
import { until } from './until.ts'

const skip = process.platform !== 'linux' && 'needs /proc'
const buildsPerKill = 6
const { resolve } = createRequire(import.meta.url)
const apk = readFileSync(
  join(dirname(resolve('io.appium.settings/package.json')), 'apks/settings_apk-debug.apk'),
)

type Inspected = {
  id: string
  pending_processing: boolean
  processing_error: string | null
  android_info: { package_name: string } | null
}

let service: Service
let applicationId: string

before(async () => {
  service = await sharedService()
  applicationId = expectOk(await service.client.createApplication('Inspection')).data.id
})

async function upload(): Promise<string> {
  const { primary_file, pending_upload_id } = expectOk(
    await service.client.request(applicationId, {
      platform: 'android',
      primary_file: { filename: 'settings.apk', size_bytes: apk.length },
    }),
  )
  await put(primary_file.presigned_data, apk)
  return expectOk(await service.client.verify(pending_upload_id)).build_id
}

const find = async (id: string) =>
  expectOk(
    await service.client.call<{ data: Inspected }>('GET', `/applications/${applicationId}/builds/${id}`),
  ).data

const inspectionPid = () =>
  descendantsOf(service.servicePid() ?? 0).find(({ command }) =>
    command.some((word) => word.endsWith('inspection.mjs')),
  )?.pid

async function assertInspectedOnce(id: string): Promise<void> {
  const build = await until(
    `build ${id} is inspected`,
    async () => {
      const found = await find(id)
      return found.pending_processing ? undefined : found
    },
    { withinMs: 120_000, everyMs: 100 },
  )
  assert.deepEqual([build.processing_error, build.android_info?.package_name], [null, 'io.appium.settings'])
  const entries = expectOk(
    await service.client.call<{ data: unknown[] }>(
      'GET',
      `/workspace/audit-log?action=build.processed&subject_id=${id}`,
    ),
  ).data
  assert.equal(entries.length, 1)
}

/**
 * Uploads builds and waits until one of them is being inspected. An inspection takes less than a second, so if this
 * process was stalled until all of them had ended, more builds are uploaded. Returns the PID of the inspection.
 */
async function uploadUntilInspecting(count: number): Promise<{ ids: string[]; pid: number }> {
  const isPending = async (id: string) => (await find(id)).pending_processing
  for (;;) {
    const ids = await Promise.all(Array.from({ length: count }, upload))
    const pid = await until(
      'a file is being inspected',
      async () => {
        const found = inspectionPid()
        if (found !== undefined) return found
        return (await Promise.all(ids.map(isPending))).includes(true) ? undefined : 'missed'
      },
      { everyMs: 1 },
    )
    if (pid !== 'missed') return { ids, pid }
  }
}

/** Returns whether the process was still running. */
function killProcess(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false
  }
}

test('repeats an inspection whose process is killed', { skip }, async () => {
  let started = await uploadUntilInspecting(1)
  while (!killProcess(started.pid)) started = await uploadUntilInspecting(1)
  for (const id of started.ids) await assertInspectedOnce(id)
})

test(
  'inspects every build exactly once if the service is killed during an inspection',
  { skip },
  async () => {
    const { ids, pid } = await uploadUntilInspecting(buildsPerKill)
    await service.kill('service')
    await until('the process of the killed service has ended', () => !isRunning(pid))
    await service.start()
    for (const id of ids) await assertInspectedOnce(id)
  },
)
