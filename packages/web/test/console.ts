import { randomBytes } from 'node:crypto'
import { createClient, type QuaysideClient } from '@quayside/sdk'
import { findDemoIds } from '../../../scripts/demo/demo-ids.ts'
import { demoSettings } from '../../../scripts/demo/demo-settings.ts'
import { copyPreparedDemo } from '../../../scripts/demo/prepared-demo.ts'
import { startReceiver } from '../../../scripts/demo/receiver.ts'
import { seedDemo } from '../../../scripts/demo/seed-demo.ts'
import { formatIds } from '../../server/src/features/channels/adapters/formats.ts'
import { databaseUrl } from '../../server/test/database.ts'
import { startOwnService, type Service } from '../../server/test/harness.ts'
import { insertMember } from '../../server/test/people.ts'
import { launchChromium } from './chromium.ts'
import { observe, type Visitor, windowOf } from './visit.ts'

const key = 'key-of-the-console-tests-0123456789'

/** Notes with every element of Markdown. */
const notes =
  '# Title\n\nText with **bold**, *emphasis*, ~~removed~~ and `code`. https://example.com\n\n- [x] done\n- [ ] open\n\n1. one\n2. two\n\n> quoted\n\n---\n\n```\ncode\n```\n\n| a | b |\n|---|--:|\n| 1 | 2 |'

export type Console = Awaited<ReturnType<typeof start>>

type Look = { width?: number; colorScheme?: 'light' | 'dark'; cookie?: string | null }

async function start() {
  const prepared = await copyPreparedDemo()
  const service = await startOwnService({
    environment: {
      ...demoSettings,
      QUAYSIDE_BOOTSTRAP_KEY: key,
      QUAYSIDE_CUSTOM_STORE_ALLOW_PRIVATE: '127.0.0.0/8',
      QUAYSIDE_CHAT_HOSTS: '127.0.0.1',
      QUAYSIDE_CHUNK_THRESHOLD_MB: '5',
      QUAYSIDE_PART_SIZE_MB: '5',
    },
    sendsWebhooks: true,
    ...(prepared === undefined ? {} : { state: prepared }),
  })
  const browser = await launchChromium()
  const workspace = await service.deps.db.selectFrom('workspaces').select('id').executeTakeFirstOrThrow()
  const userId = await insertMember(
    service,
    { workspaceId: workspace.id, applicationId: '' },
    { name: 'Ana Ruiz', email: 'ana.ruiz@example.com', workspaceRole: 'owner' },
  )
  const ownerCookie = await service.signIn(userId, workspace.id)
  let filled: Promise<{ client: QuaysideClient; ids: Record<string, string> }> | undefined

  /** Opens a page as the owner, as a session with this cookie, or as a person who is not signed in (null). */
  async function newPage({
    width = 1440,
    colorScheme = 'light',
    cookie = ownerCookie,
  }: Look = {}): Promise<Visitor> {
    const context = await browser.newContext({ ...windowOf(width), colorScheme, reducedMotion: 'reduce' })
    if (cookie !== null) {
      const [name = '', value = ''] = cookie.split(/=(.*)/s)
      await context.addCookies([{ name, value, url: service.url }])
    }
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    return observe(page)
  }

  /** Fills the workspace with the demo, and returns the IDs of one resource of each kind by route parameter. */
  function fill() {
    filled ??= fillWorkspace(service, { isSeeded: prepared !== undefined })
    return filled
  }

  /** Creates an application without builds. */
  async function createApplication() {
    const { client } = await fill()
    const body = { name: `Application ${randomBytes(4).toString('hex')}`, platforms: ['linux'] }
    return (await client.createApplication({ body })).data
  }

  return {
    service,
    browser,
    url: service.url,
    ownerCookie,
    newPage,
    fill,
    createApplication,
    /** Creates an application without builds, with a key that can upload to it. */
    async createTenant() {
      const { id: applicationId, workspace_id: workspaceId } = await createApplication()
      const applicationKey = await service.key(workspaceId, applicationId, [
        'application:write',
        'builds:write',
      ])
      return { applicationId, workspaceId, applicationKey, workspaceKey: applicationKey }
    },
    async close() {
      await browser.close()
      await service.close()
    },
  }
}

async function fillWorkspace(service: Service, { isSeeded }: { isSeeded: boolean }) {
  const client = createClient({ baseUrl: service.url, apiKey: key })
  if (!isSeeded) await seed(service)
  return { client, ids: await findIds(client) }
}

async function seed(service: Service): Promise<void> {
  const receiver = await startReceiver()
  try {
    const connection = databaseUrl(service.state.connection)
    await seedDemo({
      url: service.url,
      key,
      databaseUrl: connection,
      receiverUrl: receiver.url,
      size: 'small',
    })
  } finally {
    await receiver.close()
  }
}

/** Returns an ID for each parameter of a route. */
async function findIds(client: QuaysideClient): Promise<Record<string, string>> {
  const { application, build, release, webhook, portal, group, team } = await findDemoIds(client)
  await client.updateBuild({ application_id: application, build_id: build, body: { notes } })
  const { data: invitation } = await client.createInvitation({
    body: { email: 'maya.levi@example.com', role: 'member' },
  })
  const { data: channel } = await client.createChannel({
    application_id: application,
    body: { name: 'Every format', formats: [...formatIds], access: 'read_keys' },
  })
  const { data: view } = await client.createView({
    application_id: application,
    body: {
      name: 'Main branch',
      visibility: 'team',
      query: { branches: 'main', hidden_columns: ['source'] },
    },
  })
  return {
    applicationId: application,
    viewId: view.id,
    buildId: build,
    channelId: channel.id,
    releaseId: release,
    webhookId: webhook,
    portalId: portal,
    groupId: group,
    teamId: team,
    token: invitation.token ?? '',
  }
}

let shared: Promise<Console> | undefined

/** Returns a service with the console and a browser, which the test files of this process share. */
export function sharedConsole(): Promise<Console> {
  shared ??= start()
  return shared
}
// In a shared process, `after` would run when the tests of the first file have ended.
process.getBuiltinModule('node:test').after(async () => (await shared)?.close())

/** Returns the path of a route with the IDs in place of its parameters. */
export function fillRoute(path: string, ids: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\$(\w+)/g, (_, name: string) => {
    const id = ids[name]
    if (id === undefined)
      throw new Error(
        `The route ${path} has the parameter "${name}". Add an ID for it to findIds in test/console.ts.`,
      )
    return id
  })
}
