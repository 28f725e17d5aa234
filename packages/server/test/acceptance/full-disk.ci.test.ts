import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { bytesAt, expectOk, put, type Client, type RequestedUpload } from './client.ts'
import { content } from './content.ts'
import { prepareService, type Service } from './npm-start.ts'
import { mountSmallDisk } from './small-disk.ts'
import { folderOnly } from './test-storage.ts'
import { until } from './until.ts'

type Disk = NonNullable<ReturnType<typeof mountSmallDisk>>
type Disks = { database: Disk; files: Disk; temporary: Disk }

const sizeBytes = 1_000_000
const bytes = content(1, 0, sizeBytes)

describe('full disks', folderOnly, () => {
  let folder: string
  let disks: Disks | undefined
  let service: Service
  let client: Client
  let applicationId: string
  let buildId: string
  let pids: (number | undefined)[]

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quayside-full-disk-'))
    const dataDir = join(folder, 'data')
    const database = mountSmallDisk(dataDir, { mebibytes: 160 })
    const files = mountSmallDisk(join(dataDir, 'storage'), { mebibytes: 64 })
    const temporary = mountSmallDisk(join(folder, 'tmp'), { mebibytes: 1 })
    if (database === undefined || files === undefined || temporary === undefined) return
    disks = { database, files, temporary }
    await temporary.fill()
    const prepared = process.env['QUAYSIDE_TEST_DATA_FOLDER']
    if (prepared !== undefined) await promisify(execFile)('cp', ['-a', `${prepared}/.`, dataDir])
    service = await prepareService({
      dataDir,
      settings: { QUAYSIDE_DISK_RESERVE: '8 MB', TMPDIR: join(folder, 'tmp') },
    })
    await service.start()
    const { data } = expectOk(
      await service.client.call<{ data: { key: string } }>('POST', '/workspace/api-keys', {
        name: 'Full disk',
        scopes: ['applications:write', 'builds:write'],
      }),
    )
    client = service.client.withKey(data.key)
    applicationId = expectOk(await client.createApplication('Full disk')).data.id
    buildId = expectOk(await upload()).build_id
    pids = runningPids()
  })
  after(async () => {
    await service?.stop()
    disks?.temporary.unmount()
    disks?.files.unmount()
    disks?.database.unmount()
    await rm(folder, { recursive: true, force: true })
  })

  const runningPids = () => [service.servicePid(), service.databasePid()]
  const request = () =>
    client.request(applicationId, { primary_file: { filename: 'build.bin', size_bytes: sizeBytes } })
  const send = ({ primary_file }: RequestedUpload) => put(primary_file.presigned_data, bytes)
  const createLabel = (name: string) =>
    client.call<{ code?: string }>('POST', `/applications/${applicationId}/labels`, { name })

  async function upload() {
    const requested = expectOk(await request())
    expectOk(await send(requested))
    return client.verify(requested.pending_upload_id)
  }

  /** Asserts that builds can be listed and downloaded, and that neither the service nor PostgreSQL was restarted. */
  async function assertServesDownloads(): Promise<void> {
    assert.equal(await service.isReady(), true)
    assert.ok((await client.builds(applicationId)).total > 0)
    const { primary_file } = expectOk(await client.download(applicationId, buildId))
    assert.deepEqual(Buffer.from(await bytesAt(primary_file.temp_url)), Buffer.from(bytes))
    assert.deepEqual(runningPids(), pids)
  }

  test('starts, accepts uploads and sends downloads while the temporary folder of the system is full', async (t) => {
    if (disks === undefined) return t.skip('requires permission to mount file systems')
    expectOk(await upload())
    await assertServesDownloads()
  })

  const failures = [
    { state: 'has no space', fill: (disk: Disk) => disk.fill(), code: 'storage.out_of_space' },
    { state: 'has no inodes', fill: (disk: Disk) => disk.fillInodes(), code: 'storage.out_of_files' },
  ]
  for (const { state, fill, code } of failures) {
    test(`rejects uploads with 507 while the disk of the files ${state}, and accepts them when it has`, async (t) => {
      if (disks === undefined) return t.skip('requires permission to mount file systems')
      const requested = expectOk(await request())
      await fill(disks.files)
      const rejected = await send(requested)
      assert.deepEqual([rejected.status, rejected.body.code], [507, code])
      assert.equal((await createLabel(state)).status, 201)
      await assertServesDownloads()
      disks.files.free()
      expectOk(await send(requested))
      expectOk(await client.verify(requested.pending_upload_id))
    })

    test(`rejects writes with 507 while the disk of the database ${state}, and accepts them when it has`, async (t) => {
      if (disks === undefined) return t.skip('requires permission to mount file systems')
      const requested = expectOk(await request())
      await fill(disks.database)
      let count = 0
      const write = () => createLabel(`${state} ${count++}`)
      await until('writes are rejected', async () => (await write()).status === 507)
      assert.equal((await write()).body.code, 'database.out_of_space')
      assert.equal((await request()).status, 507)
      expectOk(await send(requested))
      assert.equal((await client.verify(requested.pending_upload_id)).status, 507)
      await assertServesDownloads()
      disks.database.free()
      await until('writes are accepted', async () => (await write()).status === 201)
      expectOk(await client.verify(requested.pending_upload_id))
      assert.deepEqual(runningPids(), pids)
    })
  }
})
