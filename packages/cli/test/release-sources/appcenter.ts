import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Member, TestRelease } from './member.ts'

const folders: string[] = []

/** Creates a folder with responses of the API of App Center, as scripts saved them before it was shut down. */
export async function startAppCenter() {
  const folder = await mkdtemp(join(tmpdir(), 'quayside-appcenter-'))
  folders.push(folder)
  await writeFile(
    join(folder, 'app.json'),
    JSON.stringify({
      id: '3f0d',
      app_secret: 'b1c2',
      name: 'compass-android',
      display_name: 'Compass',
      description: 'A navigation app',
      os: 'Android',
      platform: 'Java',
      owner: { name: 'acme' },
    }),
  )
  let count = 0
  const describe = ({ version, notes, date, bytes }: TestRelease, id: number, fields: object) => ({
    app_name: 'compass-android',
    app_display_name: 'Compass',
    app_os: 'Android',
    id,
    version: String(50 + id),
    origin: 'appcenter',
    short_version: version,
    release_notes: notes,
    size: bytes.length,
    fingerprint: createHash('md5').update(bytes).digest('hex'),
    uploaded_at: date,
    enabled: true,
    build: { branch_name: 'main', commit_hash: 'c'.repeat(40) },
    ...fields,
  })
  await linkOutside(folder, (release) => describe(release, 99, {}))
  return {
    folder,
    describe,
    args: [folder, '--from', 'appcenter'],
    env: {},
    async publish(release: TestRelease) {
      const id = ++count
      await mkdir(join(folder, String(id)))
      await writeFile(join(folder, String(id), release.filename), release.bytes)
      const fields = JSON.stringify(describe(release, id, {}))
      await writeFile(join(folder, String(id), 'release.json'), fields)
    },
  }
}

/** Adds a link to a release outside the folder, which is not part of the app. */
async function linkOutside(folder: string, describe: (release: TestRelease) => object): Promise<void> {
  const outside = await mkdtemp(join(tmpdir(), 'quayside-outside-'))
  folders.push(outside)
  const bytes = Buffer.from('outside')
  const date = '2024-01-01T00:00:00.000Z'
  const release = { version: '9.9.9', notes: '', date, filename: 'outside.apk', bytes }
  await writeFile(join(outside, release.filename), bytes)
  await writeFile(join(outside, 'release.json'), JSON.stringify(describe(release)))
  await symlink(outside, join(folder, 'outside'))
}

export const appcenterMember: Member = {
  name: 'App Center',
  start: startAppCenter,
  titleOf: ({ version }) => version,
  keepsDates: true,
  async stop() {
    for (const folder of folders) await rm(folder, { recursive: true, force: true })
  },
}
