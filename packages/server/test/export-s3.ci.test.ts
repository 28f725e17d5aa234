import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { insertFirstDefaultStreams } from '../src/features/streams/default-stream.db.ts'
import { shortId } from '../src/lib/ids.ts'
import { s3Environment } from './acceptance/test-storage.ts'
import { compareWorkspaces, readIdMap } from './compare-workspaces.ts'
import { startOwnService, type Service } from './harness.ts'
import { adminWithKills } from './killed-commands.ts'
import { missingS3Server, sharedS3Server } from './s3-server.ts'
import { uploadedInParts } from './uploading.ts'
import { createFixture } from './world.ts'

type Server = { service: Service; environment: Record<string, string> }
type Workspace = { id: string; key: string }

describe(
  'export and import between a server with a folder and one with S3',
  { skip: missingS3Server },
  () => {
    let release: () => Promise<void>
    let parent: string
    let inFolder: Server
    let inS3: Server

    const start = async (environment: Record<string, string>): Promise<Server> => ({
      environment,
      service: await startOwnService({ environment }),
    })

    before(async () => {
      parent = await mkdtemp(join(tmpdir(), 'quayside-export-s3-'))
      const shared = await sharedS3Server()
      release = shared.release
      inFolder = await start({ QUAYSIDE_STORAGE: 'local', QUAYSIDE_PUBLIC_URL: 'http://folder.localhost' })
      inS3 = await start({ ...s3Environment(shared.server), QUAYSIDE_PUBLIC_URL: 'http://s3.localhost' })
    })
    after(async () => {
      await Promise.all([inFolder?.service.close(), inS3?.service.close()])
      await release?.()
      await rm(parent, { recursive: true, force: true })
    })

    async function emptyWorkspace({ deps: { db } }: Service): Promise<string> {
      const id = shortId(12)
      await db.insertInto('workspaces').values({ id, name: 'Quayside' }).execute()
      await db.transaction().execute((tx) => insertFirstDefaultStreams(tx, id))
      return id
    }

    /** Moves the workspace with the commands, which are killed and resumed. Its key works on both servers. */
    async function move(from: Server, to: Server, { id, key }: Workspace): Promise<Workspace> {
      const folder = join(parent, `of-${id}`)
      await adminWithKills(from.service, 24, ['export', folder, '--workspace', id], from.environment)
      const workspaceId = await emptyWorkspace(to.service)
      await adminWithKills(to.service, 24, ['import', folder, '--workspace', workspaceId], to.environment)
      const newIds = await readIdMap(join(folder, `id-map-${workspaceId}.jsonl`))
      const sideOf = ({ service }: Server) => ({ ...service, key, db: service.deps.db })
      await compareWorkspaces(sideOf(from), sideOf(to), { workspaceId: id, newIds })
      return { id: workspaceId, key }
    }

    const secretOf = ({ service }: Server) => readFile(join(service.dataDir, 'secret'), 'utf8')

    test('moves a workspace to S3 and back although each command is killed', async () => {
      assert.notEqual(await secretOf(inFolder), await secretOf(inS3))
      const fixture = await createFixture(inFolder.service)
      await uploadedInParts(inFolder.service, fixture)
      const { db } = inFolder.service.deps
      // Waiting requests and the secrets of webhooks stay with the server that sends them.
      await db
        .updateTable('webhook_requests')
        .set({ state: 'delivered', next_attempt_at: null, response_code: 200 })
        .execute()
      await db.updateTable('webhooks').set({ secret_encrypted: null }).execute()
      const original = { id: fixture.workspaceId, key: fixture.workspaceKey }
      const copy = await move(inFolder, inS3, original)
      // The key already exists on the first server, so it must belong to the copy only.
      await db.deleteFrom('workspaces').where('id', '=', original.id).execute()
      await move(inS3, inFolder, copy)
    })
  },
)
