import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connectDatabase } from '../packages/server/src/database/connect.ts'
import { withSuperuser, type openDatabase } from './database.ts'
import { installPeer } from './peer-packages.ts'
import { killOnExit } from './service.ts'

type Database = ReturnType<typeof openDatabase>

const databaseName = 'parse'
const appId = 'quayside'
const masterKey = 'the-master-key-of-the-benchmarks'

const program = `
  const express = require('express')
  const { ParseServer } = require('parse-server')
  const api = new ParseServer(JSON.parse(process.argv[1]))
  api.start().then(() => {
    const server = express().use('/parse', api.app).listen(0, '127.0.0.1', () => process.send(server.address().port))
  })`

/** The fields of the class, with the types of their columns. */
const fields = {
  version: ['String', 'text'],
  versionSort: ['String', 'text'],
  buildNumber: ['String', 'text'],
  platform: ['String', 'text'],
  stream: ['String', 'text'],
  customTarget: ['String', 'text'],
  architectures: ['Array', 'jsonb'],
  labels: ['Array', 'jsonb'],
  notes: ['String', 'text'],
  sizeBytes: ['Number', 'double precision'],
  source: ['String', 'text'],
  pipeline: ['String', 'text'],
  runId: ['String', 'text'],
  runUrl: ['String', 'text'],
  repository: ['String', 'text'],
  repositoryUrl: ['String', 'text'],
  branch: ['String', 'text'],
  commit: ['String', 'text'],
  commitUrl: ['String', 'text'],
  builtAt: ['Date', 'timestamptz'],
} as const

const buildRows = `
  select builds.id as "objectId", builds.created_at as "createdAt", builds.created_at as "updatedAt",
    concat_ws('.', version_major, version_minor, version_patch) as version, version_sort as "versionSort",
    build_number as "buildNumber", builds.platform, streams.name as stream, custom_targets.name as "customTarget",
    architectures, coalesce((select json_agg(labels.name) from build_labels
      join labels on labels.id = build_labels.label_id where build_id = builds.id), '[]') as labels,
    notes, size_total_bytes as "sizeBytes", build_source as source, ci_pipeline_name as pipeline, ci_run_id as "runId",
    ci_run_url as "runUrl", scm_repo_name as repository, scm_repo_url as "repositoryUrl", scm_branch as branch,
    scm_commit_sha as commit, scm_commit_url as "commitUrl", built_at as "builtAt"
  from builds join streams on streams.id = builds.stream_id
    left join custom_targets on custom_targets.id = builds.custom_target_id
  where builds.application_id = $1 and builds.deleted_at is null and builds.id > $2
  order by builds.id limit 5000`

/** Indexes with which PostgreSQL finds the lists of the benchmark without reading all builds. */
const indexes = [
  '(stream, platform, "createdAt")',
  '(stream, "customTarget", "versionSort", "objectId")',
  '("versionSort", "objectId")',
  '("sizeBytes", "objectId")',
  '(source, branch, "builtAt")',
  'using gin (labels)',
]

/**
 * Starts Parse Server, a self-hosted backend with a list endpoint, in a database of the same PostgreSQL with the builds of an application
 * that are not in the trash. Installs it first if necessary.
 */
export async function startParse(database: Database, applicationId: string) {
  const packages = await installPeer('parse-server@9.10.0')
  const drop = `drop database if exists ${databaseName} with (force)`
  await withSuperuser(database, async (pool) => {
    await pool.query(drop)
    await pool.query(`create database ${databaseName} owner ${database.connection.user}`)
  })
  const connection = { ...database.connection, database: databaseName }
  const options = {
    databaseURI: `postgres://localhost/${databaseName}`,
    databaseOptions: { ...connection, max: 16, application_name: databaseName },
    serverURL: 'http://127.0.0.1/parse',
    appId,
    masterKey,
    logsFolder: null,
    silent: true,
  }
  const server = spawn(process.execPath, ['--eval', program, JSON.stringify(options)], {
    cwd: packages,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  killOnExit(server)
  const exited = once(server, 'exit').then(() => undefined)
  const started = await Promise.race([once(server, 'message'), exited])
  if (started === undefined) throw new Error(`Parse Server exited with code ${server.exitCode}.`)
  const port = Number(started[0])
  await createClass(port)
  await copyBuilds(database, connection, applicationId)
  return {
    port,
    pid: server.pid ?? 0,
    headers: { 'X-Parse-Application-Id': appId },
    /** Returns the path of a list of 15 builds with its total. */
    pathOf: (where: object, order: string): string =>
      `/parse/classes/Build?${new URLSearchParams({ where: JSON.stringify(where), order, limit: '15', count: '1' }).toString()}`,
    async backends(): Promise<number[]> {
      const { rows } = await database.pool.query<{ pid: number }>(
        'select pid from pg_stat_activity where datname = $1',
        [databaseName],
      )
      return rows.map(({ pid }) => pid)
    },
    async stop(): Promise<void> {
      server.kill('SIGKILL')
      await exited
      await withSuperuser(database, async (pool) => {
        await pool.query(drop)
      })
    },
  }
}

async function createClass(port: number): Promise<void> {
  const headers = {
    'X-Parse-Application-Id': appId,
    'X-Parse-Master-Key': masterKey,
    'Content-Type': 'application/json',
  }
  const types = Object.entries(fields).map(([name, [type]]) => [name, { type }])
  const body = JSON.stringify({ className: 'Build', fields: Object.fromEntries(types) as object })
  const response = await fetch(`http://127.0.0.1:${port}/parse/schemas/Build`, {
    method: 'POST',
    headers,
    body,
  })
  if (!response.ok) throw new Error(`Parse Server: ${response.status} ${await response.text()}`)
}

async function copyBuilds(
  database: Database,
  connection: Database['connection'],
  applicationId: string,
): Promise<void> {
  const { pool, close } = connectDatabase({
    connection,
    maxConnections: 1,
    statementTimeoutSeconds: 0,
    log: { warn: () => {} },
  })
  const columns = {
    objectId: 'text',
    createdAt: 'timestamptz',
    updatedAt: 'timestamptz',
    ...Object.fromEntries(Object.entries(fields).map(([name, [, type]]) => [name, type])),
  }
  const names = Object.keys(columns).map((name) => `"${name}"`)
  const typed = Object.entries(columns).map(([name, type]) => `"${name}" ${type}`)
  for (let after = ''; ;) {
    const { rows } = await database.pool.query<{ objectId: string }>(buildRows, [applicationId, after])
    if (rows.length === 0) break
    await pool.query(
      `insert into "Build" (${names.join()}, _rperm) select ${names.join()}, '{*}'
      from jsonb_to_recordset($1::jsonb) as copied (${typed.join()})`,
      [JSON.stringify(rows)],
    )
    after = rows.at(-1)?.objectId ?? ''
  }
  for (const index of indexes) await pool.query(`create index on "Build" ${index}`)
  await pool.query('vacuum (analyze) "Build"')
  await close()
}
