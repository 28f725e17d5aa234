import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Adapter } from './adapter.ts'
import { answerOf, bodyOf, sampleEntry, sampleFeed } from './samples/feed.fixture.ts'
import { hostileTexts } from './samples/hostile-texts.fixture.ts'
import { winget } from './winget.ts'

/** The rules of the identifiers and versions in winget-cli-restsource@b5600ce:documentation/WinGet-1.10.0.yaml. */
// eslint-disable-next-line no-control-regex -- the pattern of the specification
const identifierPattern = /^[^.\s\\/:*?"<>|\x01-\x1f]{1,32}(\.[^.\s\\/:*?"<>|\x01-\x1f]{1,32}){1,7}$/

test('answers the searches of winget, with identifiers that it accepts', async () => {
  const search = async (feed: ReturnType<typeof sampleFeed>, body: unknown) => {
    const request = {
      path: ['manifestSearch'],
      query: new URLSearchParams(),
      base: 'https://builds.example.com/u/23456789ab/winget',
      body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    }
    const found = bodyOf(await (winget as Required<Adapter>).answerPost(request, feed))
    return found === undefined ? undefined : JSON.parse(found).Data[0].PackageIdentifier
  }
  for (const text of hostileTexts) {
    const builds = [
      { platform: 'windows', filename: 'harbor.msi', package: { format: 'msi', publisher: text } },
    ]
    const feed = sampleFeed([sampleEntry({ version: '2.0.0', builds })], { applicationName: text })
    assert.match(await search(feed, {}), identifierPattern, text)
  }
  const described = { ProductCode: '{6F2B}', InstallerSwitches: { Silent: '/S' } }
  const builds = [
    {
      platform: 'windows',
      architectures: ['x64'],
      filename: 'harbor.msi',
      package: { format: 'msi', publisher: 'Fabrikam Inc.' },
      artifacts: { 'harbor.msi.winget.json': JSON.stringify(described) },
    },
  ]
  const feed = sampleFeed([sampleEntry({ version: '2.0.0', builds })])
  const match = (KeyWord: string, MatchType: string) => ({ KeyWord, MatchType })
  const by = (PackageMatchField: string, RequestMatch: object) => [{ PackageMatchField, RequestMatch }]
  const id = 'FabrikamInc.Harbor'
  for (const [body, expected] of [
    [{ Query: match('harb', 'Substring') }, id],
    [{ Query: match('Harbor', 'Exact') }, id],
    [{ Query: match('harbor', 'Exact') }, undefined],
    [{ Query: match('dock', 'Substring') }, undefined],
    [{ Filters: by('PackageIdentifier', match('fabrikaminc.harbor', 'CaseInsensitive')) }, id],
    [{ Inclusions: by('ProductCode', match('{6f2b}', 'CaseInsensitive')) }, id],
    [{ Query: match('harb', 'StartsWith'), Filters: by('Tag', match('x', 'Exact')) }, undefined],
    [{ FetchAllManifests: true }, id],
    ['{', undefined],
    ['[]', undefined],
    ['', undefined],
  ] as const)
    assert.equal(await search(feed, body), expected, JSON.stringify(body))
  const manifest = bodyOf(await answerOf(winget, 'winget', feed, { path: `packageManifests/${id}` }))
  const [version] = JSON.parse(manifest ?? '{}').Data.Versions
  assert.deepEqual(
    { ...version.Installers[0], InstallerSha256: 'SHA' },
    {
      InstallerIdentifier: '2.0.0 0 file-x64',
      Architecture: 'x64',
      InstallerType: 'msi',
      InstallerUrl: 'https://builds.example.com/u/23456789ab/winget/2.0.0/2.0.0%200/harbor.msi',
      InstallerSha256: 'SHA',
      ...described,
    },
  )
  assert.match(version.Installers[0].InstallerSha256, /^[0-9A-F]{64}$/)
})
