import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { concurrently } from './concurrently.ts'
import { databaseUrl } from './database.ts'
import { startOwnService, type Service } from './harness.ts'
import { storedFiles } from './stored-files.ts'
import { uploadedBuild } from './uploading.ts'

/** The number of builds that are exported and imported. */
const builds = Number(process.env['QUAYSIDE_EXPORT_BUILDS'] ?? 1000)
const maxMemoryBytes = 400 * 2 ** 20
const program = join(import.meta.dirname, '../bin/quayside-server.js')

const services: Service[] = []
let parent: string
before(async () => {
  parent = await mkdtemp(join(tmpdir(), 'quayside-export-memory-'))
})
after(async () => {
  await Promise.all(services.map((service) => service.close()))
  await rm(parent, { recursive: true, force: true })
})

async function startServer(): Promise<Service> {
  const service = await startOwnService()
  services.push(service)
  return service
}

/** Inserts copies of a build with their files. */
async function copyBuilds(service: Service, id: string): Promise<void> {
  const { db } = service.deps
  const original = await db
    .selectFrom('files')
    .select('object_key as key')
    .where('build_id', '=', id)
    .executeTakeFirstOrThrow()
  const { copyObject } = storedFiles(service)
  for (let done = 0; done < builds; done += 1000) {
    const keys = Array.from({ length: Math.min(1000, builds - done) }, () => randomUUID())
    await concurrently(16, keys, (key) => copyObject(original.key, key))
    await sql`
      with number as materialized (
        select 'c' || substr(md5(key), 1, 9) as id, key from unnest(${keys}::text[]) as key
      ), object as (
        insert into stored_objects (key, size_bytes, segments)
        select number.key, size_bytes, segments from number, stored_objects where stored_objects.key = ${original.key}
      ), build as (
        insert into builds (id, workspace_id, application_id, build_structure, version_major, version_minor,
          version_patch, version_sort, platform, stream_id, size_total_bytes, build_source)
        select number.id, workspace_id, application_id, build_structure, version_major, version_minor, version_patch,
          version_sort, platform, stream_id, size_total_bytes, build_source
        from builds, number where builds.id = ${id}
      ), download as (
        insert into downloads (id, workspace_id, application_id, build_id, channel)
        select gen_random_uuid(), workspace_id, application_id, number.id, 'api'
        from builds, number where builds.id = ${id}
      ), audit as (
        insert into audit_entries (id, workspace_id, application_id, action, subject_type, subject_id, actor_kind, actor_name)
        select gen_random_uuid(), workspace_id, application_id, 'build.created', 'build', number.id, 'system', 'Test'
        from builds, number where builds.id = ${id}
      )
      insert into files (id, build_id, role, filename, size_bytes, filetype, object_key, checksum_md5, checksum_sha256)
      select gen_random_uuid(), number.id, 'primary', filename, size_bytes, filetype, number.key, checksum_md5, checksum_sha256
      from files, number where build_id = ${id}`.execute(db)
  }
}

/** Runs a command and returns the most memory that it had used when it reported its last step. */
async function peakBytes(service: Service, args: string[]): Promise<number> {
  const child = spawn(process.execPath, [program, 'admin', ...args], {
    env: {
      ...process.env,
      QUAYSIDE_DATA_DIR: service.dataDir,
      DATABASE_URL: databaseUrl(service.state.connection),
      ...service.state.storage,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(child, 'exit')
  let [peak, last] = [0, '']
  for await (const line of createInterface({ input: child.stderr })) {
    last = line
    peak = Math.max(peak, await readPeak(child.pid))
  }
  assert.deepEqual(await exited, [0, null], last)
  return peak
}

/** Returns 0 if the process has exited. */
async function readPeak(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024
}

const mib = (bytes: number): number => Math.round(bytes / 2 ** 20)

test('exports and imports any number of builds with limited memory', { timeout: 3_600_000 }, async (t) => {
  const source = await startServer()
  const target = await startServer()
  const tenant = await source.tenant()
  const { build } = await uploadedBuild(source, tenant)
  await copyBuilds(source, build.id)
  const folder = join(parent, 'export')
  const { workspaceId } = await target.tenant()
  const exported = await peakBytes(source, ['export', folder, '--workspace', tenant.workspaceId])
  const imported = await peakBytes(target, ['import', folder, '--workspace', workspaceId])
  t.diagnostic(`${builds} builds: export ${mib(exported)} MiB, import ${mib(imported)} MiB`)
  const { count } = await target.deps.db
    .selectFrom('builds')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  assert.equal(count, builds + 1)
  assert.ok(exported < maxMemoryBytes && imported < maxMemoryBytes)
})
