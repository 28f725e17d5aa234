import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import {
  conditionsOf,
  matchingOf,
  noFilter,
  type BuildFilter,
} from '../packages/server/src/features/builds/build-filter.db.ts'
import { joinStreams, selectIsKept } from '../packages/server/src/features/builds/build.db.ts'
import { freePort } from '../packages/server/test/acceptance/free-port.ts'
import type { openDatabase } from './database.ts'
import { killOnExit } from './service.ts'

type Database = ReturnType<typeof openDatabase>

export type BareList = {
  connection: Database['connection']
  text: string
  values: readonly unknown[]
  port: number
  name: string
}

/** Starts a bare Fastify route that returns the first 15 builds of a list as JSON, from one generic statement. */
export async function startBareList(
  { db, pool, connection }: Database,
  applicationId: string,
  { filter, orderBy }: { filter: Partial<BuildFilter>; orderBy: string },
) {
  const matching = matchingOf(applicationId, { ...noFilter, ...filter })
  const { sql: text, parameters: values } = sql`
    select json_agg(page)::text as json from (
      select builds.*, row_to_json(streams) as stream, ${selectIsKept} as is_kept,
        (select row_to_json(custom_targets) from custom_targets
          where custom_targets.id = builds.custom_target_id) as custom_target,
        (select json_agg(labels order by labels.name) from build_labels
          join labels on labels.id = build_labels.label_id where build_labels.build_id = builds.id) as labels
      from builds ${joinStreams} where ${conditionsOf('builds', matching)}
      order by ${sql.raw(orderBy)} limit 15) as page`.compile(db)
  const port = await freePort()
  const name = `bare list ${port}`
  const options: BareList = { connection, text, values, port, name }
  const server = spawn(
    process.execPath,
    [join(import.meta.dirname, 'bare-list.server.ts'), JSON.stringify(options)],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  killOnExit(server)
  const read = async () => (await fetch(`http://127.0.0.1:${port}/builds`)).text()
  let json: string | undefined
  while ((json = await read().catch(() => undefined)) === undefined) {
    if (server.exitCode !== null) throw new Error(`the bare list exited with code ${server.exitCode}`)
    await pause(20)
  }
  return {
    port,
    path: '/builds',
    pid: server.pid ?? 0,
    json,
    /** Returns the process IDs of the server's database connections. */
    async backends(): Promise<number[]> {
      const { rows } = await pool.query<{ pid: number }>(
        'select pid from pg_stat_activity where application_name = $1',
        [name],
      )
      return rows.map(({ pid }) => pid)
    },
    async stop(): Promise<void> {
      server.kill('SIGKILL')
      if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
    },
  }
}
