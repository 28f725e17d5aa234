import fc from 'fast-check'
import { recordLabelIds } from './build-commands.ts'
import { command, labelNames, version, versionFields, anyIndex } from './command.ts'
import { byRef, labelsNamed, newRef, pick, type Build, type Link, type Model } from './model.ts'
import { expect, type Real } from './real.ts'

const future = '2099-01-01T00:00:00Z'
const someBuilds = fc.uniqueArray(anyIndex, { maxLength: 3 })

const buildsOf = (model: Model, numbers: number[]): Build[] =>
  model.builds.length === 0 ? [] : [...new Set(numbers.map((number) => pick(model.builds, number)))]

const anyTrashed = (builds: Build[]): boolean => builds.some(({ isTrashed }) => isTrashed)

const createRelease = command({
  name: 'create release',
  input: fc.record({
    title: fc.constantFrom('Spring', 'autumn', 'B'),
    version,
    builds: someBuilds,
    labels: labelNames,
    status: fc.constantFrom(
      'published' as const,
      'published' as const,
      'draft' as const,
      'scheduled' as const,
    ),
  }),
  async run(model, real, input) {
    const { status } = input
    const builds = buildsOf(model, input.builds)
    const body = {
      title: input.title,
      ...versionFields(input.version),
      labels: input.labels,
      build_ids: builds.map(({ ref }) => real.id(ref)),
      ...(status === 'draft' ? { draft: true } : {}),
      ...(status === 'scheduled' ? { scheduled_for: future } : {}),
    }
    const response = expect(await real.send('POST', '/releases', body), anyTrashed(builds) ? 404 : 201)
    if (anyTrashed(builds)) return
    const release = {
      ref: newRef(model),
      title: input.title,
      version: input.version,
      builds: new Set(builds.map(({ ref }) => ref)),
      labels: labelsNamed(model, input.labels),
      status,
      wasPublished: status === 'published',
    }
    model.releases.push(release)
    real.ids.set(release.ref, response.body.data.id)
    await recordLabelIds(model, real)
  },
})

const hasReleases = ({ releases }: Model): boolean => releases.length > 0

const editRelease = command({
  name: 'edit release',
  input: fc.record({ release: anyIndex, title: fc.constantFrom('New', 'Old'), version, labels: labelNames }),
  canRun: hasReleases,
  async run(model, real, input) {
    const release = pick(model.releases, input.release)
    const body = { title: input.title, labels: input.labels, ...versionFields(input.version) }
    expect(await real.send('PATCH', `/releases/${real.id(release.ref)}`, body), 200)
    Object.assign(release, {
      title: input.title,
      version: input.version,
      labels: labelsNamed(model, input.labels),
    })
    await recordLabelIds(model, real)
  },
})

const changeReleaseStatus = command({
  name: 'change status of release',
  input: fc.record({
    release: anyIndex,
    verb: fc.constantFrom('publish' as const, 'publish' as const, 'schedule' as const, 'withdraw' as const),
  }),
  canRun: hasReleases,
  async run(model, real, { release: number, verb }) {
    const release = pick(model.releases, number)
    const { status } = release
    const isConflict =
      (verb === 'schedule' && status === 'published') || (verb === 'withdraw' && status === 'draft')
    const body = verb === 'schedule' ? { scheduled_for: future } : {}
    expect(await real.send('POST', `/releases/${real.id(release.ref)}/${verb}`, body), isConflict ? 409 : 200)
    if (isConflict) return
    release.status = ({ publish: 'published', schedule: 'scheduled', withdraw: 'withdrawn' } as const)[verb]
    release.wasPublished ||= verb === 'publish'
  },
})

const replaceReleaseBuilds = command({
  name: 'replace builds of release',
  input: fc.record({ release: anyIndex, builds: someBuilds }),
  canRun: hasReleases,
  async run(model, real, input) {
    const [release, builds] = [pick(model.releases, input.release), buildsOf(model, input.builds)]
    const body = { build_ids: builds.map(({ ref }) => real.id(ref)) }
    expect(
      await real.send('PUT', `/releases/${real.id(release.ref)}/builds`, body),
      anyTrashed(builds) ? 404 : 200,
    )
    if (!anyTrashed(builds)) release.builds = new Set(builds.map(({ ref }) => ref))
  },
})

const addToRelease = command({
  name: 'add to release',
  input: fc.record({ release: anyIndex, build: anyIndex }),
  canRun: (model) => hasReleases(model) && model.builds.length > 0,
  async run(model, real, input) {
    const [release, build] = [pick(model.releases, input.release), pick(model.builds, input.build)]
    const path = `/releases/${real.id(release.ref)}/builds/${real.id(build.ref)}`
    expect(await real.send('POST', path, {}), build.isTrashed ? 404 : 'success')
    if (!build.isTrashed) release.builds.add(build.ref)
  },
})

const deleteRelease = command({
  name: 'delete release',
  input: anyIndex,
  canRun: hasReleases,
  async run(model, real, number) {
    const release = pick(model.releases, number)
    const path = `/releases/${real.id(release.ref)}`
    expect(await real.send('DELETE', path), 'success')
    expect(await real.send('GET', path), 404)
    model.releases = model.releases.filter((one) => one !== release)
    for (const link of linksTo(model, release.ref)) {
      expect(await real.callPublic('GET', real.id(-link.ref)), 404)
      model.links = model.links.filter((one) => one !== link)
    }
  },
})

const linksTo = (model: Model, release: number): Link[] =>
  model.links.filter(({ shared }) => 'release' in shared && shared.release === release)

const createLink = command({
  name: 'create share link',
  input: fc.record({
    kind: fc.constantFrom('builds' as const, 'releases' as const),
    index: anyIndex,
    password: fc.boolean(),
    maxDownloads: fc.option(fc.integer({ min: 1, max: 3 })),
  }),
  canRun: (model, { kind }) => model[kind].length > 0,
  async run(model, real, { kind, index, password, maxDownloads }) {
    const resource = pick<{ ref: number; isTrashed?: boolean }>(model[kind], index)
    const body = { max_downloads: maxDownloads, ...(password ? { password: 'open sesame' } : {}) }
    const response = await real.send('POST', `/${kind}/${real.id(resource.ref)}/share-links`, body)
    if (resource.isTrashed === true) {
      expect(response, 404)
      return
    }
    const { id, url } = expect(response, 201).body.data
    const shared = kind === 'builds' ? { build: resource.ref } : { release: resource.ref }
    const link: Link = {
      ref: newRef(model),
      shared,
      hasPassword: password,
      maxDownloads,
      downloadCount: 0,
      isActive: true,
    }
    model.links.push(link)
    real.ids.set(link.ref, id)
    // The link's ID is already stored under its reference, so the URL is stored under the negated reference.
    real.ids.set(-link.ref, url)
  },
})

const hasLinks = ({ links }: Model): boolean => links.length > 0

const downloadByLink = command({
  name: 'download through share link',
  input: fc.record({ link: anyIndex, build: anyIndex }),
  canRun: hasLinks,
  async run(model, real, input) {
    const link = pick(model.links, input.link)
    const url = real.id(-link.ref)
    const isUsable = link.isActive && (link.maxDownloads === null || link.downloadCount < link.maxDownloads)
    const builds = sharedBuilds(model, link)
    const release = 'release' in link.shared ? byRef(model.releases, link.shared.release) : undefined
    const isUnknown = release?.wasPublished === false
    const isGone = !isUsable || (release !== undefined && release.status !== 'published')
    const hasTarget = release !== undefined || builds.length > 0
    const opened = await openLink(
      real,
      url,
      link,
      isUnknown ? 404 : isGone ? 410 : hasTarget ? 'success' : 404,
    )
    if (opened === undefined) return
    if (builds.length > 1) expect(await real.callPublic('POST', `${url}/downloads`, opened), 422)
    if (builds.length === 0) {
      expect(await real.callPublic('POST', `${url}/downloads`, opened), 404)
      return
    }
    const build_id = real.id(pick(builds, input.build).ref)
    expect(await real.callPublic('POST', `${url}/downloads`, { ...opened, build_id }), 200)
    link.downloadCount++
  },
})

/**
 * Opens a link. Returns the body fields that a download request requires, or undefined if the link cannot be opened.
 */
async function openLink(real: Real, url: string, link: Link, expected: number | 'success') {
  if (!link.hasPassword) {
    expect(await real.callPublic('GET', url), expected)
    return expected === 'success' ? {} : undefined
  }
  const response = expect(
    await real.callPublic('POST', `${url}/grants`, { password: 'open sesame' }),
    expected,
  )
  if (expected !== 'success') return undefined
  expect(await real.callPublic('POST', `${url}/downloads`, {}), 403)
  return { grant: response.body.data.grant as string }
}

const sharedBuilds = (model: Model, { shared }: Link): Build[] =>
  ('build' in shared
    ? [byRef(model.builds, shared.build)]
    : [...byRef(model.releases, shared.release).builds].map((ref) => byRef(model.builds, ref))
  ).filter(({ isTrashed }) => !isTrashed)

const toggleLink = command({
  name: 'toggle share link',
  input: fc.record({ link: anyIndex, isActive: fc.boolean() }),
  canRun: hasLinks,
  async run(model, real, { link: number, isActive }) {
    const link = pick(model.links, number)
    expect(await real.call('PATCH', `/share-links/${real.id(link.ref)}`, { is_active: isActive }), 200)
    link.isActive = isActive
  },
})

const deleteLink = command({
  name: 'delete share link',
  input: anyIndex,
  canRun: hasLinks,
  async run(model, real, number) {
    const link = pick(model.links, number)
    expect(await real.call('DELETE', `/share-links/${real.id(link.ref)}`), 'success')
    expect(await real.callPublic('GET', real.id(-link.ref)), 404)
    model.links = model.links.filter((one) => one !== link)
  },
})

export const sharingCommands = [
  createRelease,
  createRelease,
  editRelease,
  changeReleaseStatus,
  changeReleaseStatus,
  replaceReleaseBuilds,
  addToRelease,
  deleteRelease,
  createLink,
  createLink,
  downloadByLink,
  downloadByLink,
  toggleLink,
  deleteLink,
]
