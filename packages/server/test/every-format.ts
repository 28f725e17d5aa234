import { gunzipSync } from 'node:zlib'
import type { FormatId } from '../src/features/channels/adapters/formats.ts'
import type { SampleBuild } from '../src/features/channels/adapters/samples/feed.fixture.ts'
import { formatFixtures } from '../src/features/channels/adapters/samples/formats.fixture.ts'
import { channelCalls, readFeed } from './channels.ts'
import type { Service, Tenant } from './harness.ts'
import { until } from './until.ts'

/** The directory of a document of an index, whose name contains its checksum, and the document that names it. */
const checksumNames: Record<string, string> = { 'repodata/': 'repodata/repomd.xml' }

/** Returns the versions that a document offers, as a client that has version 1.0.0 reads it. */
export async function versionsAt(channelAt: string, format: FormatId): Promise<string[]> {
  const { request, read } = formatFixtures[format]
  const { path, query = {} } = request('1.0.0')
  const base = `${channelAt}/${format}`
  const [folder = '', ending] = path.split('*')
  let exact = path
  if (ending !== undefined) {
    const { text } = await readFeed(`${base}/${checksumNames[folder]}`)
    exact = new RegExp(`${folder}[0-9a-f]{64}${RegExp.escape(ending)}`).exec(text)?.[0] ?? path
  }
  const response = await fetch(`${base}/${exact}?${new URLSearchParams(query).toString()}`)
  const body = Buffer.from(await response.arrayBuffer())
  if (response.status !== 200) return []
  return read(
    (response.headers.get('content-type') === 'application/gzip' ? gunzipSync(body) : body).toString(),
  ).versions
}

/** Publishes a version with what each format needs. What the inspection would read of a package is added to the build. */
export async function publishInEveryFormat(
  service: Service,
  tenant: Tenant,
  version: [number, number, number],
): Promise<void> {
  const calls = channelCalls(service, tenant)
  const builds = Object.values(formatFixtures).flatMap(({ builds }) => builds(version.join('.')))
  const byName = new Map<string, SampleBuild>()
  for (const build of builds) {
    const name = `${build.platform} ${build.filename}`
    const same = byName.get(name)
    byName.set(name, { ...same, ...build, artifacts: { ...same?.artifacts, ...build.artifacts } })
  }
  for (const { platform, filename, buildNumber, artifacts = {}, ...sample } of byName.values()) {
    const id = await calls.uploadVersion(version, {
      platform,
      filename,
      bytes: Buffer.from(`${platform} ${filename}`),
      artifacts,
      ...(buildNumber !== undefined && { build_number: buildNumber }),
    })
    await until(`${filename} is inspected`, async () => {
      const { body } = await calls.send('GET', `/builds/${id}`)
      return !['queued', 'waiting', 'running'].includes(body.data.processing)
    })
    await addInspection(service, id, sample)
  }
}

async function addInspection(
  { deps: { db } }: Service,
  id: string,
  { architectures = [], package: read, details = {} }: Omit<SampleBuild, 'platform' | 'filename'>,
): Promise<void> {
  const { bundleId, ...info } = read ?? {}
  const { debControl, rpmHeader, pacmanInfo, androidInfo } = details
  const { architectures: native = architectures, ...android } = androidInfo ?? {}
  const fileInfo = { ...info, architectures: native }
  await db
    .updateTable('builds')
    .set({
      architectures,
      ...((read ?? androidInfo) && { file_info: JSON.stringify(fileInfo) }),
      ...(bundleId && { ios_info: JSON.stringify({ bundle_id: bundleId }) }),
      ...(androidInfo && { android_info: JSON.stringify(android) }),
    })
    .where('id', '=', id)
    .execute()
  const columns = {
    ...(debControl && { deb_control: JSON.stringify(debControl) }),
    ...(rpmHeader && { rpm_header: JSON.stringify(rpmHeader) }),
    ...(pacmanInfo && { pacman_info: JSON.stringify(pacmanInfo) }),
  }
  if (Object.keys(columns).length === 0) return
  await db
    .insertInto('package_details')
    .values({ build_id: id, ...columns })
    .onConflict((conflict) => conflict.column('build_id').doUpdateSet(columns))
    .execute()
}
