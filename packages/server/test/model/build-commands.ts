import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { put } from '../uploading.ts'
import { command, labelNames, version, versionFields, anyIndex } from './command.ts'
import { labelsNamed, newRef, pick, type Build, type Model, type Pending } from './model.ts'
import { expect, type Real } from './real.ts'

const upload = fc.record({
  version,
  platform: fc.constantFrom('linux', 'windows'),
  stream: anyIndex,
  labels: labelNames,
  sizeBytes: fc.integer({ min: 1, max: 300 }),
})

type SignedPut = { url: string; headers: Record<string, string> }
type Upload = typeof upload extends fc.Arbitrary<infer T> ? T : never

async function requestUpload(model: Model, real: Real, input: Upload) {
  const stream = pick(model.streams, input.stream)
  const body = {
    ...versionFields(input.version),
    application_id: real.tenant.applicationId,
    platform: input.platform,
    stream: stream.name,
    source: 'cli-upload',
    labels: input.labels,
    primary_file: { filename: 'app.zip', size_bytes: input.sizeBytes },
  }
  return { stream, response: expect(await real.call('POST', '/upload/request', body), 200).body }
}

// The service may have restarted on another port since it signed the URL.
const store = (real: Real, { url, headers }: SignedPut, bytes: Uint8Array) =>
  real.use((service) => put({ url: url.replace(/^.*(?=\/storage\/)/, service.url), headers }, bytes))

export const uploadBuild = command({
  name: 'upload build',
  input: upload,
  async run(model, real, input) {
    const { stream, response } = await requestUpload(model, real, input)
    await store(real, response.primary_file.presigned_data, randomBytes(input.sizeBytes))
    const verified = expect(
      await real.call('POST', '/upload/verify', { pending_upload_id: response.pending_upload_id }),
      200,
    )
    const build: Build = {
      ref: newRef(model),
      version: input.version,
      platform: input.platform,
      stream: stream.ref,
      labels: labelsNamed(model, input.labels),
      notes: null,
      keepForever: false,
      sizeBytes: input.sizeBytes,
      isTrashed: false,
    }
    model.builds.push(build)
    real.ids.set(build.ref, verified.body.build_id)
    await recordLabelIds(model, real)
  },
})

/** Records the IDs of labels that the service created from names. */
export async function recordLabelIds(model: Model, real: Real): Promise<void> {
  const unknown = model.labels.filter(({ ref }) => !real.ids.has(ref))
  if (unknown.length === 0) return
  const { data } = expect(await real.send('GET', '/labels'), 200).body
  for (const label of unknown) {
    const found = (data as { id: string; name: string; level: string }[]).find(
      ({ name, level }) => name === label.name && level === label.level,
    )
    if (found === undefined) throw new Error(`the label ${label.name} was not created`)
    real.ids.set(label.ref, found.id)
  }
}

const requestUploadOnly = command({
  name: 'request upload',
  input: upload,
  canRun: ({ pending }) => pending.length < 2,
  async run(model, real, input) {
    const { stream, response } = await requestUpload(model, real, { ...input, labels: [] })
    const pending: Pending = {
      ref: newRef(model),
      stream: stream.ref,
      sizeBytes: input.sizeBytes,
      version: input.version,
    }
    model.pending.push(pending)
    real.ids.set(pending.ref, response.pending_upload_id)
    expect(await real.call('POST', '/upload/verify', { pending_upload_id: response.pending_upload_id }), 400)
  },
})

const abortUpload = command({
  name: 'abort upload',
  input: anyIndex,
  canRun: ({ pending }) => pending.length > 0,
  async run(model, real, number) {
    const pending = pick(model.pending, number)
    const body = { pending_upload_id: real.id(pending.ref) }
    expect(await real.call('POST', '/upload/abort', body), 'success')
    expect(await real.call('POST', '/upload/verify', body), 400)
    model.pending = model.pending.filter((one) => one !== pending)
  },
})

const hasBuilds = ({ builds }: Model): boolean => builds.length > 0

const moveBuild = command({
  name: 'move build',
  input: fc.record({ build: anyIndex, stream: anyIndex }),
  canRun: hasBuilds,
  async run(model, real, input) {
    const [build, stream] = [pick(model.builds, input.build), pick(model.streams, input.stream)]
    const path = `/builds/${real.id(build.ref)}/stream`
    expect(await real.send('PUT', path, { stream: 'no such stream' }), build.isTrashed ? 404 : 422)
    expect(await real.send('PUT', path, { stream: stream.name }), build.isTrashed ? 404 : 200)
    if (!build.isTrashed) build.stream = stream.ref
  },
})

const editBuild = command({
  name: 'edit build',
  input: fc.record({
    build: anyIndex,
    version: fc.option(version),
    notes: fc.constantFrom('new', '', 'a\nb'),
    keep: fc.boolean(),
  }),
  canRun: hasBuilds,
  async run(model, real, input) {
    const build = pick(model.builds, input.build)
    const body = {
      notes: input.notes,
      keep_forever: input.keep,
      ...(input.version === null ? {} : versionFields(input.version)),
    }
    expect(await real.send('PATCH', `/builds/${real.id(build.ref)}`, body), build.isTrashed ? 404 : 200)
    if (build.isTrashed) return
    build.notes = input.notes === '' ? null : input.notes
    build.keepForever = input.keep
    if (input.version !== null) build.version = input.version
  },
})

const labelBuild = command({
  name: 'label build',
  input: fc.record({ build: anyIndex, labels: labelNames }),
  canRun: hasBuilds,
  async run(model, real, input) {
    const build = pick(model.builds, input.build)
    const body = { labels: input.labels }
    expect(await real.send('PUT', `/builds/${real.id(build.ref)}/labels`, body), build.isTrashed ? 404 : 200)
    if (build.isTrashed) return
    build.labels = labelsNamed(model, input.labels)
    await recordLabelIds(model, real)
  },
})

const trashBuild = command({
  name: 'trash build',
  input: anyIndex,
  canRun: hasBuilds,
  async run(model, real, number) {
    const build = pick(model.builds, number)
    const path = `/builds/${real.id(build.ref)}`
    const isRefused = !build.isTrashed && isHeld(model, build)
    if (isRefused) expect(await real.send('DELETE', path), 409)
    expect(
      await real.send('DELETE', isRefused ? `${path}?force=true` : path),
      build.isTrashed ? 404 : 'success',
    )
    build.isTrashed = true
  },
})

/** Returns whether a release or a usable share link references the build. */
const isHeld = (model: Model, { ref }: Build): boolean =>
  model.releases.some(({ builds }) => builds.has(ref)) ||
  model.links.some(
    ({ shared, isActive, maxDownloads, downloadCount }) =>
      'build' in shared &&
      shared.build === ref &&
      isActive &&
      (maxDownloads === null || downloadCount < maxDownloads),
  )

const restoreBuild = command({
  name: 'restore build',
  input: anyIndex,
  canRun: hasBuilds,
  async run(model, real, number) {
    const build = pick(model.builds, number)
    expect(
      await real.send('POST', `/builds/${real.id(build.ref)}/restore`, {}),
      build.isTrashed ? 'success' : 409,
    )
    build.isTrashed = false
  },
})

const updateBuilds = command({
  name: 'update builds',
  input: fc.record({
    builds: fc.uniqueArray(anyIndex, { minLength: 1, maxLength: 3 }),
    action: fc.constantFrom('delete', 'restore', 'keep', 'unkeep', 'move', 'label'),
    stream: anyIndex,
    labels: fc.uniqueArray(fc.constantFrom('alpha', 'qa'), { minLength: 1, maxLength: 2 }),
    force: fc.boolean(),
  }),
  canRun: hasBuilds,
  async run(model, real, { action, ...input }) {
    const builds = [...new Set(input.builds.map((number) => pick(model.builds, number)))]
    const stream = pick(model.streams, input.stream)
    const body = {
      build_ids: builds.map(({ ref }) => real.id(ref)),
      action,
      ...(action === 'move' ? { stream: stream.name } : {}),
      ...(action === 'label' ? { labels: input.labels } : {}),
      ...(action === 'delete' ? { force: input.force } : {}),
    }
    const { data } = expect(await real.send('POST', '/builds/bulk', body), 200).body
    for (const [index, build] of builds.entries()) {
      const isRefused = action === 'delete' && !input.force && isHeld(model, build)
      const isExpected = action === 'restore' ? build.isTrashed : !build.isTrashed && !isRefused
      if (data[index].done !== isExpected)
        throw new Error(`bulk ${action} of ${build.ref}: ${JSON.stringify(data[index])}`)
      if (!isExpected) continue
      if (action === 'delete' || action === 'restore') build.isTrashed = action === 'delete'
      if (action === 'keep' || action === 'unkeep') build.keepForever = action === 'keep'
      if (action === 'move') build.stream = stream.ref
      if (action === 'label') build.labels = new Set([...build.labels, ...labelsNamed(model, input.labels)])
    }
    await recordLabelIds(model, real)
  },
})

export const buildCommands = [
  uploadBuild,
  uploadBuild,
  uploadBuild,
  requestUploadOnly,
  abortUpload,
  moveBuild,
  editBuild,
  labelBuild,
  labelBuild,
  trashBuild,
  restoreBuild,
  updateBuilds,
]
