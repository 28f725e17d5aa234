import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { put } from '../uploading.ts'
import { command, labelNames, version, versionFields, which } from './command.ts'
import { labelsNamed, newRef, pick, type Build, type Model, type Pending } from './model.ts'
import { expect, type Real } from './real.ts'

const upload = fc.record({
  version,
  platform: fc.constantFrom('linux', 'windows'),
  stream: which,
  labels: labelNames,
  sizeBytes: fc.integer({ min: 1, max: 300 }),
})

type Upload = typeof upload extends fc.Arbitrary<infer T> ? T : never

async function requestUpload(model: Model, real: Real, wish: Upload) {
  const stream = pick(model.streams, wish.stream)
  const body = {
    ...versionFields(wish.version),
    application_id: real.tenant.applicationId,
    platform: wish.platform,
    stream: stream.name,
    source: 'cli-upload',
    labels: wish.labels,
    primary_file: { filename: 'app.zip', size_bytes: wish.sizeBytes },
  }
  return { stream, answer: expect(await real.any('POST', '/upload/request', body), 200).body }
}

// the port of the URL is that of the service that signed it
const store = (real: Real, url: string, bytes: Uint8Array) =>
  real.use((service) => put(`${service.url}${new URL(url).pathname}${new URL(url).search}`, bytes))

export const uploadBuild = command({
  name: 'upload',
  given: upload,
  async run(model, real, wish) {
    const { stream, answer } = await requestUpload(model, real, wish)
    await store(real, answer.primary_file.presigned_data.url, randomBytes(wish.sizeBytes))
    const verified = expect(
      await real.any('POST', '/upload/verify', { pending_upload_id: answer.pending_upload_id }),
      200,
    )
    const build: Build = {
      ref: newRef(model),
      version: wish.version,
      platform: wish.platform,
      stream: stream.ref,
      labels: labelsNamed(model, wish.labels),
      notes: null,
      keepForever: false,
      sizeBytes: wish.sizeBytes,
      isTrashed: false,
    }
    model.builds.push(build)
    real.ids.set(build.ref, verified.body.build_id)
    await learnLabels(model, real)
  },
})

/** Ids of labels that came into being by their names. */
export async function learnLabels(model: Model, real: Real): Promise<void> {
  const unknown = model.labels.filter(({ ref }) => !real.ids.has(ref))
  if (unknown.length === 0) return
  const { data } = expect(await real.send('GET', '/labels'), 200).body
  for (const label of unknown) {
    const found = (data as { id: string; name: string; level: string }[]).find(
      ({ name, level }) => name === label.name && level === label.level,
    )
    if (found === undefined) throw new Error(`the label ${label.name} was not made`)
    real.ids.set(label.ref, found.id)
  }
}

const requestOnly = command({
  name: 'request upload',
  given: upload,
  can: ({ pending }) => pending.length < 2,
  async run(model, real, wish) {
    const { stream, answer } = await requestUpload(model, real, { ...wish, labels: [] })
    const pending: Pending = {
      ref: newRef(model),
      stream: stream.ref,
      sizeBytes: wish.sizeBytes,
      version: wish.version,
    }
    model.pending.push(pending)
    real.ids.set(pending.ref, answer.pending_upload_id)
    expect(await real.any('POST', '/upload/verify', { pending_upload_id: answer.pending_upload_id }), 400)
  },
})

const abortUpload = command({
  name: 'abort upload',
  given: which,
  can: ({ pending }) => pending.length > 0,
  async run(model, real, number) {
    const pending = pick(model.pending, number)
    const body = { pending_upload_id: real.id(pending.ref) }
    expect(await real.any('POST', '/upload/abort', body), 'success')
    expect(await real.any('POST', '/upload/verify', body), 400)
    model.pending = model.pending.filter((one) => one !== pending)
  },
})

const hasBuilds = ({ builds }: Model): boolean => builds.length > 0

const moveBuild = command({
  name: 'move',
  given: fc.record({ build: which, stream: which }),
  can: hasBuilds,
  async run(model, real, given) {
    const [build, stream] = [pick(model.builds, given.build), pick(model.streams, given.stream)]
    const path = `/builds/${real.id(build.ref)}/stream`
    expect(await real.send('PUT', path, { stream: 'no such stream' }), build.isTrashed ? 404 : 422)
    expect(await real.send('PUT', path, { stream: stream.name }), build.isTrashed ? 404 : 200)
    if (!build.isTrashed) build.stream = stream.ref
  },
})

const editBuild = command({
  name: 'edit',
  given: fc.record({
    build: which,
    version: fc.option(version),
    notes: fc.constantFrom('new', '', 'a\nb'),
    keep: fc.boolean(),
  }),
  can: hasBuilds,
  async run(model, real, given) {
    const build = pick(model.builds, given.build)
    const body = {
      notes: given.notes,
      keep_forever: given.keep,
      ...(given.version === null ? {} : versionFields(given.version)),
    }
    expect(await real.send('PATCH', `/builds/${real.id(build.ref)}`, body), build.isTrashed ? 404 : 200)
    if (build.isTrashed) return
    build.notes = given.notes === '' ? null : given.notes
    build.keepForever = given.keep
    if (given.version !== null) build.version = given.version
  },
})

const labelBuild = command({
  name: 'label',
  given: fc.record({ build: which, labels: labelNames }),
  can: hasBuilds,
  async run(model, real, given) {
    const build = pick(model.builds, given.build)
    const body = { labels: given.labels }
    expect(await real.send('PUT', `/builds/${real.id(build.ref)}/labels`, body), build.isTrashed ? 404 : 200)
    if (build.isTrashed) return
    build.labels = labelsNamed(model, given.labels)
    await learnLabels(model, real)
  },
})

const trashBuild = command({
  name: 'trash',
  given: which,
  can: hasBuilds,
  async run(model, real, number) {
    const build = pick(model.builds, number)
    expect(await real.send('DELETE', `/builds/${real.id(build.ref)}`), build.isTrashed ? 404 : 'success')
    build.isTrashed = true
  },
})

const restoreBuild = command({
  name: 'restore',
  given: which,
  can: hasBuilds,
  async run(model, real, number) {
    const build = pick(model.builds, number)
    expect(
      await real.send('POST', `/builds/${real.id(build.ref)}/restore`, {}),
      build.isTrashed ? 'success' : 409,
    )
    build.isTrashed = false
  },
})

const bulk = command({
  name: 'bulk',
  given: fc.record({
    builds: fc.uniqueArray(which, { minLength: 1, maxLength: 3 }),
    action: fc.constantFrom('delete', 'restore', 'keep', 'unkeep', 'move', 'label'),
    stream: which,
    labels: fc.uniqueArray(fc.constantFrom('alpha', 'qa'), { minLength: 1, maxLength: 2 }),
  }),
  can: hasBuilds,
  async run(model, real, { action, ...given }) {
    const builds = [...new Set(given.builds.map((number) => pick(model.builds, number)))]
    const stream = pick(model.streams, given.stream)
    const body = {
      build_ids: builds.map(({ ref }) => real.id(ref)),
      action,
      ...(action === 'move' ? { stream: stream.name } : {}),
      ...(action === 'label' ? { labels: given.labels } : {}),
    }
    const { data } = expect(await real.send('POST', '/builds/bulk', body), 200).body
    for (const [index, build] of builds.entries()) {
      const isDone = action === 'restore' ? build.isTrashed : !build.isTrashed
      if (data[index].done !== isDone)
        throw new Error(`bulk ${action} of ${build.ref}: ${JSON.stringify(data[index])}`)
      if (!isDone) continue
      if (action === 'delete' || action === 'restore') build.isTrashed = action === 'delete'
      if (action === 'keep' || action === 'unkeep') build.keepForever = action === 'keep'
      if (action === 'move') build.stream = stream.ref
      if (action === 'label') build.labels = new Set([...build.labels, ...labelsNamed(model, given.labels)])
    }
    await learnLabels(model, real)
  },
})

export const buildCommands = [
  uploadBuild,
  uploadBuild,
  uploadBuild,
  requestOnly,
  abortUpload,
  moveBuild,
  editBuild,
  labelBuild,
  labelBuild,
  trashBuild,
  restoreBuild,
  bulk,
]
