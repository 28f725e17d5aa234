import fc from 'fast-check'
import { learnLabels } from './build-commands.ts'
import { command, labelNames, version, versionFields, which } from './command.ts'
import { byRef, labelsNamed, newRef, pick, type Build, type Link, type Model } from './model.ts'
import { expect, type Real } from './real.ts'

const someBuilds = fc.uniqueArray(which, { maxLength: 3 })

const buildsOf = (model: Model, numbers: number[]): Build[] =>
  model.builds.length === 0 ? [] : [...new Set(numbers.map((number) => pick(model.builds, number)))]

const anyTrashed = (builds: Build[]): boolean => builds.some(({ isTrashed }) => isTrashed)

const createRelease = command({
  name: 'create release',
  given: fc.record({
    title: fc.constantFrom('Spring', 'autumn', 'B'),
    version,
    builds: someBuilds,
    labels: labelNames,
  }),
  async run(model, real, given) {
    const builds = buildsOf(model, given.builds)
    const body = {
      title: given.title,
      ...versionFields(given.version),
      labels: given.labels,
      build_ids: builds.map(({ ref }) => real.id(ref)),
    }
    const answer = expect(await real.send('POST', '/releases', body), anyTrashed(builds) ? 404 : 201)
    if (anyTrashed(builds)) return
    const release = {
      ref: newRef(model),
      title: given.title,
      version: given.version,
      builds: new Set(builds.map(({ ref }) => ref)),
      labels: labelsNamed(model, given.labels),
    }
    model.releases.push(release)
    real.ids.set(release.ref, answer.body.data.id)
    await learnLabels(model, real)
  },
})

const hasReleases = ({ releases }: Model): boolean => releases.length > 0

const editRelease = command({
  name: 'edit release',
  given: fc.record({ release: which, title: fc.constantFrom('New', 'Old'), version, labels: labelNames }),
  can: hasReleases,
  async run(model, real, given) {
    const release = pick(model.releases, given.release)
    const body = { title: given.title, labels: given.labels, ...versionFields(given.version) }
    expect(await real.send('PATCH', `/releases/${real.id(release.ref)}`, body), 200)
    Object.assign(release, {
      title: given.title,
      version: given.version,
      labels: labelsNamed(model, given.labels),
    })
    await learnLabels(model, real)
  },
})

const replaceReleaseBuilds = command({
  name: 'replace builds of release',
  given: fc.record({ release: which, builds: someBuilds }),
  can: hasReleases,
  async run(model, real, given) {
    const [release, builds] = [pick(model.releases, given.release), buildsOf(model, given.builds)]
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
  given: fc.record({ release: which, build: which }),
  can: (model) => hasReleases(model) && model.builds.length > 0,
  async run(model, real, given) {
    const [release, build] = [pick(model.releases, given.release), pick(model.builds, given.build)]
    const path = `/releases/${real.id(release.ref)}/builds/${real.id(build.ref)}`
    expect(await real.send('POST', path, {}), build.isTrashed ? 404 : 'success')
    if (!build.isTrashed) release.builds.add(build.ref)
  },
})

const deleteRelease = command({
  name: 'delete release',
  given: which,
  can: hasReleases,
  async run(model, real, number) {
    const release = pick(model.releases, number)
    const path = `/releases/${real.id(release.ref)}`
    expect(await real.send('DELETE', path), 'success')
    expect(await real.send('GET', path), 404)
    model.releases = model.releases.filter((one) => one !== release)
    for (const link of linksTo(model, release.ref)) {
      expect(await real.visit('GET', real.id(-link.ref)), 404)
      model.links = model.links.filter((one) => one !== link)
    }
  },
})

const linksTo = (model: Model, release: number): Link[] =>
  model.links.filter(({ of }) => 'release' in of && of.release === release)

const share = command({
  name: 'share',
  given: fc.record({
    what: fc.constantFrom('builds' as const, 'releases' as const),
    which,
    password: fc.boolean(),
    max: fc.option(fc.integer({ min: 1, max: 3 })),
  }),
  can: (model, { what }) => model[what].length > 0,
  async run(model, real, { what, which: number, password, max }) {
    const shared = pick<{ ref: number; isTrashed?: boolean }>(model[what], number)
    const body = { max_downloads: max, ...(password ? { password: 'open sesame' } : {}) }
    const answer = await real.send('POST', `/${what}/${real.id(shared.ref)}/share-links`, body)
    if (shared.isTrashed === true) {
      expect(answer, 404)
      return
    }
    const { id, url } = expect(answer, 201).body.data
    const of = what === 'builds' ? { build: shared.ref } : { release: shared.ref }
    const link: Link = { ref: newRef(model), of, hasPassword: password, max, count: 0, isActive: true }
    model.links.push(link)
    real.ids.set(link.ref, id)
    // the URL of a link is kept under its negative reference
    real.ids.set(-link.ref, url)
  },
})

const hasLinks = ({ links }: Model): boolean => links.length > 0

const useLink = command({
  name: 'download by link',
  given: fc.record({ link: which, build: which }),
  can: hasLinks,
  async run(model, real, given) {
    const link = pick(model.links, given.link)
    const url = real.id(-link.ref)
    const isUsable = link.isActive && (link.max === null || link.count < link.max)
    const builds = sharedBuilds(model, link)
    const isThere = 'release' in link.of || builds.length > 0
    const opened = await open(real, url, link, isUsable ? (isThere ? 'success' : 404) : 410)
    if (opened === undefined) return
    if (builds.length > 1) expect(await real.visit('POST', `${url}/downloads`, opened), 422)
    if (builds.length === 0) {
      expect(await real.visit('POST', `${url}/downloads`, opened), 404)
      return
    }
    const build_id = real.id(pick(builds, given.build).ref)
    expect(await real.visit('POST', `${url}/downloads`, { ...opened, build_id }), 200)
    link.count++
  },
})

/** What a download must carry; undefined where the link does not open. */
async function open(real: Real, url: string, link: Link, expected: number | 'success') {
  if (!link.hasPassword) {
    expect(await real.visit('GET', url), expected)
    return expected === 'success' ? {} : undefined
  }
  const answer = expect(await real.visit('POST', `${url}/grants`, { password: 'open sesame' }), expected)
  if (expected !== 'success') return undefined
  expect(await real.visit('POST', `${url}/downloads`, {}), 403)
  return { grant: answer.body.data.grant as string }
}

const sharedBuilds = (model: Model, { of }: Link): Build[] =>
  ('build' in of
    ? [byRef(model.builds, of.build)]
    : [...byRef(model.releases, of.release).builds].map((ref) => byRef(model.builds, ref))
  ).filter(({ isTrashed }) => !isTrashed)

const switchLink = command({
  name: 'switch link',
  given: fc.record({ link: which, isActive: fc.boolean() }),
  can: hasLinks,
  async run(model, real, { link: number, isActive }) {
    const link = pick(model.links, number)
    expect(await real.any('PATCH', `/share-links/${real.id(link.ref)}`, { is_active: isActive }), 200)
    link.isActive = isActive
  },
})

const deleteLink = command({
  name: 'delete link',
  given: which,
  can: hasLinks,
  async run(model, real, number) {
    const link = pick(model.links, number)
    expect(await real.any('DELETE', `/share-links/${real.id(link.ref)}`), 'success')
    expect(await real.visit('GET', real.id(-link.ref)), 404)
    model.links = model.links.filter((one) => one !== link)
  },
})

export const sharingCommands = [
  createRelease,
  createRelease,
  editRelease,
  replaceReleaseBuilds,
  addToRelease,
  deleteRelease,
  share,
  share,
  useLink,
  useLink,
  switchLink,
  deleteLink,
]
