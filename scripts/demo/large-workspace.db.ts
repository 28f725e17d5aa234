import { allItems, type QuaysideClient } from '@quayside/sdk'
import pg from 'pg'
import { maxViews } from '../../packages/server/src/features/builds/views/view.ts'
import { concurrently } from './concurrently.ts'
import { insertManyBuilds } from './many-builds.db.ts'
import { uploadBuild } from './upload.ts'

type LargeWorkspace = {
  client: QuaysideClient
  databaseUrl: string
  /** The application that has half of the builds and as many views as it may have. */
  largest: string
  /** How many of each the workspace has afterwards. */
  counts: { applications: number; builds: number; members: number; views: number }
}

/**
 * Adds applications, builds, team views and members to the demo workspace. Each new member has a role in eight
 * applications. What exists is counted, so that a later run adds nothing.
 */
export async function enlargeWorkspace({
  client,
  databaseUrl,
  largest,
  counts,
}: LargeWorkspace): Promise<void> {
  const ids = await applicationIds(client)
  const missing = Math.max(0, counts.applications - ids.length)
  await concurrently(Array(missing).keys(), 4, (index) => addApplication(client, index + 1))

  const others = (await applicationIds(client)).filter((id) => id !== largest)
  const shareOf = (count: number) => Math.ceil(count / Math.max(1, others.length))
  const most = Math.min(maxViews, counts.views)
  await addViews(client, largest, most)
  for (const id of others) await addViews(client, id, shareOf(counts.views - most))
  await addBuilds(client, databaseUrl, [
    { id: largest, count: counts.builds / 2 },
    ...others.map((id) => ({ id, count: shareOf(counts.builds / 2) })),
  ])
  await addMembers(databaseUrl, counts.members)
}

const applicationIds = async (client: QuaysideClient): Promise<string[]> =>
  (await allItems((page) => client.listApplications({ page, per_page: 100 }))).map(({ id }) => id)

async function addApplication(client: QuaysideClient, number: number): Promise<void> {
  const name = `Application ${String(number).padStart(3, '0')}`
  const { data } = await client.createApplication({ body: { name, platforms: ['linux'] } })
  const fields = {
    application_id: data.id,
    platform: 'linux',
    stream: 'nightlies',
    source: 'ghactions',
    version_component_1_major: 0,
    version_component_2_minor: 1,
    version_component_3_patch: 0,
  } as const
  await uploadBuild(client, fields, { filename: 'app.zip', content: Buffer.from(name) })
}

/** Adds builds to each application that has fewer than `count`, and at least one. */
export async function addBuilds(
  client: QuaysideClient,
  databaseUrl: string,
  applications: readonly { id: string; count: number }[],
): Promise<void> {
  const growing: Parameters<typeof insertManyBuilds>[1][number][] = []
  for (const { id, count } of applications) {
    const { data, pagination } = await client.listBuilds({ application_id: id, per_page: 1 })
    const buildId = data[0]?.id
    if (buildId !== undefined && pagination.total < count) growing.push({ applicationId: id, buildId, count })
  }
  await insertManyBuilds(databaseUrl, growing)
}

async function addViews(client: QuaysideClient, applicationId: string, count: number): Promise<void> {
  const path = { application_id: applicationId }
  const { data } = await client.listViews(path)
  for (let number = data.length + 1; number <= count; number++)
    await client.createView({
      ...path,
      body: { name: `View ${number}`, visibility: 'team', query: { search: `task-${number}` } },
    })
}

async function addMembers(databaseUrl: string, count: number): Promise<void> {
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  try {
    await database.query(insertMembers, [count])
    await database.query('analyze users, workspace_members, application_members')
  } finally {
    await database.end()
  }
}

const insertMembers = `
  with workspace as (
    select id from workspaces
  ), numbered as (
    select n, 'member' || lpad(n::text, 4, '0') as id
    from generate_series((select count(*) + 1 from workspace_members), $1::int) as n
  ), people as (
    insert into users (id, email, name, email_verified)
    select id, id || '@example.com', 'Member ' || n, true from numbered
  ), members as (
    insert into workspace_members (workspace_id, user_id, name, role)
    select workspace.id, numbered.id, 'Member ' || n, 'member' from numbered, workspace
  )
  insert into application_members (application_id, workspace_id, user_id, role)
  select applications.id, workspace.id, numbered.id, (array['admin', 'developer', 'qa', 'readonly'])[1 + n % 4]
  from numbered, workspace, lateral (
    select id from applications where workspace_id = workspace.id order by md5(id || n) limit 8
  ) as applications`
