import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { assertAcceptedSettings } from './accepted-settings.ts'
import { readContainerfile, repository } from './deploy-files.ts'

const instructions = readContainerfile()
const finalStage = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM ')))
const readPackage = async (path: string) =>
  JSON.parse(await readFile(join(repository, path), 'utf8')) as { version: string; workspaces: string[] }

test('labels the image with the version of the server', async () => {
  const { version } = await readPackage('packages/server/package.json')
  assert.ok(finalStage.includes(`ARG VERSION=${version}`))
  assert.ok(finalStage.some((line) => line.includes('org.opencontainers.image.version="${VERSION}"')))
})

test('copies the package.json of every workspace before npm installs the packages', async () => {
  const { workspaces } = await readPackage('package.json')
  const copied = instructions.flatMap((line) => /^COPY (\S+)\/package\.json /.exec(line)?.[1] ?? [])
  assert.deepEqual(copied.toSorted(), workspaces.toSorted())
})

test('copies only paths that exist and that .dockerignore includes', async () => {
  const patterns = (await readFile(join(repository, '.dockerignore'), 'utf8')).split('\n')
  const included = patterns.flatMap((line) => (line.startsWith('!') ? line.slice(1) : []))
  assert.ok(patterns.includes('*'))
  const sources = instructions.flatMap((line) => {
    const [, paths = ''] = /^COPY (?!--from)(.*) \S+$/.exec(line) ?? []
    return paths.split(' ').filter((path) => path !== '')
  })
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

test('includes every file outside of packages that the server reads', async () => {
  const copied = finalStage.flatMap((line) => (line.startsWith('COPY ') ? line.split(' ').slice(1, -1) : []))
  const sources = globSync('packages/server/src/**/*.ts', { cwd: repository, exclude: ['**/*.test.ts'] })
  const texts = await Promise.all(
    sources.map(async (path) => ({ path, text: await readFile(join(repository, path), 'utf8') })),
  )
  for (const { path, text } of texts)
    for (const [, target = ''] of text.matchAll(/new URL\('((?:\.\.\/){3,}[^']+)'/g)) {
      const file = join(dirname(path), target).replace(/\/$/, '')
      assert.ok(
        copied.some((folder) => file === folder || folder.endsWith(`/${file}`)),
        `${path}: ${file}`,
      )
    }
})
