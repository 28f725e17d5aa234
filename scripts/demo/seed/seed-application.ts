import { createClient, type QuaysideClient } from '@quayside/sdk'
import type { ApplicationPlan } from '../plan/application-plan.ts'
import { people, type PersonId } from '../plan/people.ts'
import { daysBefore, hoursAfter, type Seeding, type UserIds } from '../seeding.ts'
import { pngIcon } from './seed-workspace.ts'

export type SeededApplication = {
  id: string
  plan: ApplicationPlan
  /** The client of the CI system, which has a key of its own. */
  ci: QuaysideClient
  ciKeyId: string
}

const ciNames = { ghactions: 'GitHub Actions', 'gitlab-ci': 'GitLab CI', jenkins: 'Jenkins' }

/** Creates an application with its icon, members, labels, custom targets, keys and trusted publisher. */
export async function seedApplication(
  seeding: Seeding,
  plan: ApplicationPlan,
  users: UserIds,
  index: number,
): Promise<SeededApplication> {
  const { client, journal, now } = seeding
  const created = daysBefore(now, 180 - index)
  const by = plan.lead
  const { data: application } = await client.createApplication({
    body: {
      name: plan.name,
      description: plan.description,
      platforms: [...new Set(plan.platforms.map(({ platform }) => platform))],
    },
  })
  const { id } = application
  const path = { application_id: id }
  journal.record({ subject: id, at: created, by: 'ines' })
  await client.replaceApplicationIcon({ ...path, body: pngIcon(plan.slug) })
  journal.record({ subject: id, action: 'application.icon_replaced', at: hoursAfter(created, 2), by })

  const { data: streams } = await client.listStreams(path)
  for (const stream of streams) journal.record({ subject: stream.id, at: created })
  for (const [person, role] of Object.entries(plan.team) as [
    PersonId,
    'admin' | 'developer' | 'qa' | 'readonly',
  ][]) {
    const userId = users.get(person)
    if (userId === undefined) throw new Error(`${people[person].name} is not a member of the workspace.`)
    await client.createApplicationMember({ ...path, body: { user_id: userId, role } })
    const action = 'application_member.created'
    const joined = hoursAfter(daysBefore(now, people[person].joinedDaysAgo), 25)
    const at = joined > created ? joined : hoursAfter(created, 3)
    journal.record({ subject: userId, application: id, action, at, by: 'ines' })
  }
  for (const label of plan.labels) {
    const { data } = await client.createLabel({ ...path, body: label })
    journal.record({ subject: data.id, at: hoursAfter(created, 26), by })
  }
  const [label] = plan.labels
  if (label !== undefined) {
    const view = {
      name: `Builds with ${label.name}`,
      visibility: 'team',
      query: { labels: label.name },
    } as const
    const { data } = await client.createView({ ...path, body: view })
    journal.record({ subject: data.id, at: hoursAfter(created, 27), by })
  }
  for (const target of plan.targets) {
    const { data } = await client.createCustomTarget({ ...path, body: target })
    journal.record({ subject: data.id, at: hoursAfter(created, 28), by })
  }
  const { data: key } = await client.createApplicationApiKey({
    ...path,
    body: { name: `${ciNames[plan.ci]} (${plan.repository})`, scopes: ['builds:create', 'application:read'] },
  })
  journal.record({ subject: key.id, at: hoursAfter(created, 5), by })
  if (plan.ci !== 'jenkins')
    await seedTrustedPublisher(seeding, plan, id, hoursAfter(created, 700 + index * 40))
  const ci = createClient({ baseUrl: seeding.url, apiKey: key.key, userAgent: `quayside-cli (${plan.ci})` })
  return { id, plan, ci, ciKeyId: key.id }
}

async function seedTrustedPublisher(
  { client, journal }: Seeding,
  { ci, repository, lead }: ApplicationPlan,
  applicationId: string,
  at: Date,
): Promise<void> {
  const hosted = ci === 'ghactions'
  const { data } = await client.createTrustedPublisher({
    application_id: applicationId,
    body: {
      name: `Releases of ${repository}`,
      issuer: hosted ? 'https://token.actions.githubusercontent.com' : 'https://gitlab.brindle.example',
      claims: hosted
        ? { repository: `brindle-works/${repository}`, repository_id: '728104553', ref: 'refs/heads/main' }
        : { project_path: `brindle/${repository}`, ref_protected: 'true' },
      scopes: ['builds:create', 'releases:create'],
    },
  })
  journal.record({ subject: data.id, at, by: lead })
}

/** Creates the keys that belong to no CI run: one for a dashboard, one that expires and one that was revoked. */
export async function seedWorkspaceKeys({ client, journal, now, url }: Seeding): Promise<void> {
  const keys = [
    {
      name: 'Wall display',
      scopes: ['applications:read', 'builds:read', 'releases:read'],
      daysAgo: 140,
      by: 'kwame',
    },
    { name: 'Nightly backup check', scopes: ['workspace:read', 'builds:read'], daysAgo: 64, by: 'ines' },
    { name: 'Translation export', scopes: ['releases:read'], daysAgo: 33, expires: true, by: 'aoife' },
    {
      name: 'Old deployment script',
      scopes: ['builds:write', 'releases:write'],
      daysAgo: 170,
      revoked: true,
      by: 'kwame',
    },
  ] as const
  for (const { name, scopes, daysAgo, by, ...state } of keys) {
    const { data } = await client.createWorkspaceApiKey({
      body: {
        name,
        scopes: [...scopes],
        ...('expires' in state ? { expires_at: hoursAfter(now, 24 * 12).toISOString() } : {}),
      },
    })
    journal.record({ subject: data.id, action: 'api_key.created', at: daysBefore(now, daysAgo), by })
    if (name === 'Wall display') await createClient({ baseUrl: url, apiKey: data.key }).listApplications()
    if (!('revoked' in state)) continue
    await client.deleteWorkspaceApiKey({ api_key_id: data.id })
    journal.record({ subject: data.id, action: 'api_key.revoked', at: daysBefore(now, 41), by: 'ines' })
  }
}
