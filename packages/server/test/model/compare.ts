import assert from 'node:assert/strict'
import type { Json } from '../contract/shapes.ts'
import { byRef, compareVersions, textOf, type Build, type Model, type Version } from './model.ts'
import { expect, type Real } from './real.ts'

/** Reads all resources and compares them with the model. */
export async function compare(model: Model, real: Real): Promise<void> {
  const get = async (path: string): Promise<Json> => expect(await real.send('GET', path), 200).body
  if (model.isTrashed) {
    expect(await real.send('GET', ''), 404)
    expect(await real.send('POST', '/restore', {}), 200)
  }
  const present = model.builds.filter(({ isTrashed }) => !isTrashed)
  await compareApplication(model, get, present)
  await compareLists(model, real, get, present)
  for (const build of model.builds) await compareBuild(model, real, build)
  for (const release of model.releases) {
    const { data } = await get(`/releases/${real.id(release.ref)}`)
    const builds = present.filter(({ ref }) => release.builds.has(ref))
    assert.deepEqual(
      [
        data.title,
        data.version,
        data.status,
        data.published_at !== null,
        data.build_count,
        sorted(data.builds.map(({ id }: Json) => id)),
        labelsOf(data),
      ],
      [
        release.title,
        textOf(release.version),
        release.status,
        release.wasPublished,
        builds.length,
        sorted(builds.map(({ ref }) => real.id(ref))),
        labelsOfModel(model, release.labels),
      ],
    )
  }
  await compareLinks(model, real, get)
}

const sorted = (texts: string[]): string[] => texts.toSorted()
const labelsOf = ({ labels }: Json): string[] =>
  sorted(labels.map(({ name, level }: Json) => `${name} of ${level}`))
const labelsOfModel = (model: Model, refs: Set<number>): string[] =>
  sorted([...refs].map((ref) => byRef(model.labels, ref)).map(({ name, level }) => `${name} of ${level}`))

async function compareApplication(model: Model, get: (path: string) => Promise<Json>, present: Build[]) {
  const { data } = await get('')
  const bytes = model.builds.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  assert.deepEqual([data.build_count, data.storage_usage.total_bytes], [present.length, bytes])
  const streams = (await get('/streams')).data.map(({ name }: Json) => name)
  assert.deepEqual(sorted(streams), sorted(model.streams.map(({ name }) => name)))
  const labels = { labels: (await get('/labels')).data }
  assert.deepEqual(labelsOf(labels), labelsOfModel(model, new Set(model.labels.map(({ ref }) => ref))))
}

async function compareLists(
  model: Model,
  real: Real,
  get: (path: string) => Promise<Json>,
  present: Build[],
) {
  const ids = (builds: Build[]) => builds.map(({ ref }) => real.id(ref))
  const listed = async (query: string): Promise<string[]> => {
    const { data, pagination } = await get(`/builds?per_page=100&${query}`)
    assert.equal(pagination.total, data.length)
    return data.map(({ id }: Json) => id as string)
  }
  assert.deepEqual(await listed('sort_by=created_at'), ids(present))
  assert.deepEqual(await listed('sort=desc'), ids(present.toReversed()))
  const versions = await listed('sort_by=version')
  assert.deepEqual(sorted(versions), sorted(ids(present)))
  assertSorted(versions.map((id) => present.find(({ ref }) => real.id(ref) === id)?.version))
  for (const stream of model.streams) {
    const expected = present.filter((build) => build.stream === stream.ref)
    assert.deepEqual(await listed(`streams=${encodeURIComponent(stream.name)}`), ids(expected))
  }
  for (const label of model.labels) {
    const expected = present.filter(({ labels }) => labels.has(label.ref))
    assert.deepEqual(await listed(`labels=${real.id(label.ref)}`), ids(expected))
    const linux = expected.filter(({ platform }) => platform === 'linux')
    assert.deepEqual(await listed(`labels=${real.id(label.ref)}&platforms=linux`), ids(linux))
  }
  for (const platform of ['linux', 'windows'])
    assert.deepEqual(
      await listed(`platforms=${platform}`),
      ids(present.filter((build) => build.platform === platform)),
    )
  const releases = (await get('/releases?per_page=100')).data.map(({ id }: Json) => id)
  assert.deepEqual(
    releases,
    model.releases.map(({ ref }) => real.id(ref)),
  )
}

function assertSorted(versions: (Version | undefined)[]): void {
  for (const [index, version] of versions.entries()) {
    const next = versions[index + 1]
    if (version !== undefined && next !== undefined)
      assert.ok(compareVersions(version, next) <= 0, `${textOf(version)} before ${textOf(next)}`)
  }
}

async function compareBuild(model: Model, real: Real, build: Build): Promise<void> {
  const response = await real.send('GET', `/builds/${real.id(build.ref)}`)
  if (build.isTrashed) {
    expect(response, 404)
    return
  }
  const { data } = expect(response, 200).body
  const { version, notes, keepForever, sizeBytes, platform } = build
  assert.deepEqual(
    [
      data.version,
      data.platform.identifier,
      data.stream.name,
      labelsOf(data),
      data.notes,
      data.keep_forever,
      data.size_total_bytes,
    ],
    [
      textOf(version),
      platform,
      byRef(model.streams, build.stream).name,
      labelsOfModel(model, build.labels),
      notes,
      keepForever,
      sizeBytes,
    ],
  )
}

async function compareLinks(model: Model, real: Real, get: (path: string) => Promise<Json>): Promise<void> {
  for (const link of model.links) {
    const isTrashed = 'build' in link.shared && byRef(model.builds, link.shared.build).isTrashed
    if (isTrashed) continue
    const path =
      'build' in link.shared
        ? `/builds/${real.id(link.shared.build)}`
        : `/releases/${real.id(link.shared.release)}`
    const { data } = await get(`${path}/share-links`)
    const found = data.find(({ id }: Json) => id === real.id(link.ref))
    assert.deepEqual(
      [found?.download_count, found?.max_downloads, found?.is_active, found?.password_protected],
      [link.downloadCount, link.maxDownloads, link.isActive, link.hasPassword],
    )
  }
}
