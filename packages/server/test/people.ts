import { shortId } from '../src/lib/ids.ts'
import type { Service, Tenant } from './harness.ts'

type Person = {
  name?: string
  email?: string
  workspaceRole?: string
  applicationRole?: string | undefined
}

/** Inserts a workspace member, and adds them to the application if `applicationRole` is set. */
export async function insertMember(
  { deps: { db } }: Service,
  { workspaceId, applicationId }: Pick<Tenant, 'workspaceId' | 'applicationId'>,
  { name = 'Ada', email, workspaceRole = 'member', applicationRole }: Person = {},
): Promise<string> {
  const id = shortId(10)
  const membership = { workspace_id: workspaceId, user_id: id }
  await db
    .insertInto('users')
    .values({ id, email: email ?? `${id}@example.com` })
    .execute()
  await db
    .insertInto('workspace_members')
    .values({ ...membership, name, role: workspaceRole })
    .execute()
  if (applicationRole !== undefined)
    await db
      .insertInto('application_members')
      .values({ ...membership, application_id: applicationId, role: applicationRole })
      .execute()
  return id
}

type TeamFields = { name?: string; members?: readonly string[]; role?: string }

/** Inserts a team with these members, and gives it the role in the application if one is set. */
export async function insertTeam(
  { deps: { db } }: Service,
  { workspaceId, applicationId }: Pick<Tenant, 'workspaceId' | 'applicationId'>,
  { name, members = [], role }: TeamFields = {},
): Promise<string> {
  const id = shortId(10)
  const team = { team_id: id, workspace_id: workspaceId }
  await db
    .insertInto('teams')
    .values({ id, workspace_id: workspaceId, name: name ?? `Team ${id}` })
    .execute()
  for (const user_id of members)
    await db
      .insertInto('team_members')
      .values({ ...team, user_id })
      .execute()
  if (role !== undefined)
    await db
      .insertInto('team_applications')
      .values({ ...team, application_id: applicationId, role })
      .execute()
  return id
}

/** Inserts a member of the workspace who asks for access to the application, and returns the ID of the request. */
export async function insertAccessRequest(
  service: Service,
  tenant: Pick<Tenant, 'workspaceId' | 'applicationId'>,
): Promise<string> {
  const { id } = await service.deps.db
    .insertInto('access_requests')
    .values({
      workspace_id: tenant.workspaceId,
      application_id: tenant.applicationId,
      user_id: await insertMember(service, tenant),
      message: 'I test the builds of this week.',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
