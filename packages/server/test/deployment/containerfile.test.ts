import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { assertAcceptedSettings } from './accepted-settings.ts'
import { readContainerfile, repository } from './deploy-files.ts'

const instructions = readContainerfile()
const finalStage = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM ')))
const readPackage = async (path: string) =>
  JSON.parse(await readFile(join(repository, path), 'utf8')) as { version: string }

test('labels the image with the version of the server', async () => {
  const { version } = await readPackage('packages/server/package.json')
  assert.ok(finalStage.includes(`ARG VERSION=${version}`))
  assert.ok(finalStage.some((line) => line.includes('org.opencontainers.image.version="${VERSION}"')))
})

test('copies only paths that exist and that .dockerignore includes', async () => {
  const patterns = (await readFile(join(repository, '.dockerignore'), 'utf8')).split('\n')
  const included = patterns.flatMap((line) => (line.startsWith('!') ? line.slice(1) : []))
  assert.ok(patterns.includes('*'))
  const sources = instructions.flatMap((line) => {
    const [, paths = ''] = /^COPY (?!--from)(.*) \S+$/.exec(line) ?? []
    return paths.split(' ').filter((path) => path !== '')
  })
  assert.ok(sources.length > 3)
  for (const source of sources) {
    assert.equal(globSync(source, { cwd: repository }).length, 1, source)
    assert.ok(
      included.some((path) => source === path || source.startsWith(`${path}/`)),
      source,
    )
  }
})

test('runs the service as a user with a number and checks its health', () => {
  const value = (name: string) =>
    finalStage.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1)
  assert.match(value('USER') ?? '', /^[1-9]\d*:[1-9]\d*$/)
  assert.equal(value('STOPSIGNAL'), 'SIGTERM')
  assert.match(value('HEALTHCHECK') ?? '', /\/readyz/)
  assert.equal(value('VOLUME'), '/data')
  assertAcceptedSettings('image', { QUAYSIDE_PUBLIC_URL: 'https://builds.example.com' })
})

test('contains the installed server and the system, and no other files', () => {
  const copied = finalStage.filter((line) => line.startsWith('COPY '))
  assert.deepEqual(copied, ['COPY --from=system /system /', 'COPY --from=server /opt/quayside /opt/quayside'])
  assert.ok(
    instructions.some((line) =>
      line.endsWith('node scripts/server-folder.ts /opt/quayside $TARGETARCH /packages'),
    ),
  )
})

test('runs no program of the target platform while it is built', () => {
  const stages = instructions.filter((line) => line.startsWith('FROM '))
  assert.equal(stages.at(-1), 'FROM scratch')
  for (const stage of stages) assert.match(stage, /^FROM (?:scratch\b|--platform=\$BUILDPLATFORM )/)
  assert.ok(!finalStage.some((line) => line.startsWith('RUN ')))
})
