import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missing, runText } from '../../../../test/inspection/programs.ts'
import { gitea } from './gitea.ts'
import { homebrew } from './homebrew.ts'
import { nuget } from './nuget.ts'
import { answerOf, bodyOf, sampleEntry, sampleFeed } from './samples/feed.fixture.ts'
import { hostileTexts } from './samples/hostile-texts.fixture.ts'
import { readCaskTexts } from './samples/package-sources.fixture.ts'
import { scoop } from './scoop.ts'

/** A cask that only records its texts, so that a text that is not inert is noticed. */
const recorder = `
require 'json'
$texts = []
class Recorder < BasicObject
  def method_missing(name, *values, **options, &block)
    $texts << [name, values, options.to_a]
    ::Recorder.new.instance_eval(&block) if block
  end
  def respond_to_missing?(*) = true
end
def cask(token, &block) = Recorder.new.instance_eval(&block)
casks = JSON.parse($stdin.read)
results = casks.map do |source|
  $texts = []
  RubyVM::InstructionSequence.compile(source)
  eval(source, TOPLEVEL_BINDING.dup)
  $texts
end
puts JSON.generate(results)
`

test('writes casks that Ruby reads without running a hostile text', { skip: missing('ruby') }, async () => {
  const casks: string[] = []
  const names = hostileTexts.map((text) => text.toWellFormed())
  const more = ['#{raise}', '#$0 #@x', '`id`', '"; exit 1; "', '\\', "'", '\n=begin\n', '__END__', '%x(id)']
  for (const text of [...names, ...more]) {
    const description = JSON.stringify({ app: text, desc: text, homepage: text, name: text })
    const filename = `Harbor ${text.replaceAll(/[/\0]/g, '_').slice(0, 100).toWellFormed()}.dmg`
    const feed = sampleFeed(
      [
        sampleEntry({
          version: '2.0.0',
          builds: [
            {
              platform: 'macos',
              architectures: ['apple'],
              filename,
              artifacts: { [`${filename}.cask.json`]: description },
            },
          ],
        }),
      ],
      { applicationName: text },
    )
    const body = bodyOf(await answerOf(homebrew, 'homebrew', feed, { path: 'cask.rb' }))
    casks.push(body ?? assert.fail(text))
  }
  const read = JSON.parse(runText('ruby', ['-e', recorder], JSON.stringify(casks))) as [
    string,
    string[],
    unknown,
  ][][]
  for (const [index, text] of [...names, ...more].entries()) {
    const texts = read[index] ?? assert.fail()
    const valueOf = (name: string) => texts.find(([stanza]) => stanza === name)?.[1]
    assert.deepEqual(valueOf('version'), ['2.0.0'])
    if (text.trim() !== '') assert.deepEqual(valueOf('homepage'), [text])
    if (text !== '') assert.deepEqual(valueOf('app'), [text])
    // The reader of the shared suite reads the same as Ruby.
    assert.deepEqual(readCaskTexts(casks[index] ?? '').get('url'), valueOf('url'))
  }
})

test('writes a cask with a file for each processor, and the components of a package', async () => {
  const builds = [
    {
      platform: 'macos',
      architectures: ['apple'],
      filename: 'Harbor-arm64.pkg',
      package: { format: 'pkg', dependencies: ['com.example.harbor 2.0'] },
    },
    {
      platform: 'macos',
      architectures: ['x64'],
      filename: 'Harbor-x64.pkg',
      package: { format: 'pkg', dependencies: ['com.example.harbor 2.0'] },
    },
  ]
  const rollout = { minimumOs: { macos: '13.0' } }
  const feed = sampleFeed([sampleEntry({ version: '2.0.0', builds, rollout })])
  const body = bodyOf(await answerOf(homebrew, 'homebrew', feed, { path: 'harbor.rb' })) ?? assert.fail()
  const lines = body.split('\n').map((line) => line.replaceAll(/[0-9a-f]{64}/g, 'SHA'))
  assert.deepEqual(lines.slice(2, 13), [
    '  on_arm do',
    '    sha256 "SHA"',
    '    url "https://builds.example.com/u/23456789ab/homebrew/2.0.0/2.0.0%200/Harbor-arm64.pkg"',
    '    pkg "Harbor-arm64.pkg"',
    '    uninstall pkgutil: ["com.example.harbor"]',
    '  end',
    '  on_intel do',
    '    sha256 "SHA"',
    '    url "https://builds.example.com/u/23456789ab/homebrew/2.0.0/2.0.0%201/Harbor-x64.pkg"',
    '    pkg "Harbor-x64.pkg"',
    '    uninstall pkgutil: ["com.example.harbor"]',
  ])
  assert.match(body, /depends_on macos: ">= :ventura"/)
})

/** The rules of Scoop@b588a06e:schema.json for what a bucket contains. */
function assertManifest(manifest: Record<string, unknown>): void {
  const { version, homepage, license, architecture = {}, url, hash } = manifest as Record<string, string>
  assert.match(version ?? '', /^[\w.\-+_]+$/)
  assert.ok(URL.canParse(homepage ?? ''))
  assert.equal(typeof license, 'string')
  const sources = url === undefined ? Object.values(architecture) : [{ url, hash }]
  assert.ok(sources.length > 0)
  for (const source of sources as { url: string; hash: string }[]) {
    assert.ok(URL.canParse(source.url) && !source.url.includes('$'), source.url)
    assert.match(source.hash, /^[a-f0-9]{64}$/)
  }
  const known = new Set(
    'version description homepage license url hash architecture bin shortcuts extract_dir installer uninstaller pre_install post_install depends suggest env_add_path env_set persist innosetup psmodule notes'.split(
      ' ',
    ),
  )
  for (const name of Object.keys(manifest)) assert.ok(known.has(name), name)
}

test('writes manifests that follow the schema of Scoop, whatever the uploader states', async () => {
  for (const text of hostileTexts) {
    const filename = `${text.replaceAll(/[/\0]/g, '_').slice(0, 60).toWellFormed()}.zip`
    const described = { bin: text, version: '9', url: 'x', hash: 'x', $schema: 'x', __proto__: { a: 1 } }
    const builds = ['x64', 'arm64v8'].map((architecture) => ({
      platform: 'windows',
      architectures: [architecture],
      filename: `${architecture}-${filename}`,
      artifacts: { [`${architecture}-${filename}.scoop.json`]: JSON.stringify(described) },
    }))
    const feed = sampleFeed([sampleEntry({ version: '2.0.0', builds })], { applicationName: text })
    const body = bodyOf(await answerOf(scoop, 'scoop', feed, { path: 'manifest.json' })) ?? assert.fail()
    const manifest = JSON.parse(body) as Record<string, unknown>
    assertManifest(manifest)
    assert.equal(manifest['version'], '2.0.0')
    assert.deepEqual(Object.keys(manifest['architecture'] as object), ['64bit', 'arm64'])
  }
  const program = [{ platform: 'windows', filename: 'harbor.exe' }]
  const feed = sampleFeed([sampleEntry({ version: '2.0.0', builds: program })])
  const body = bodyOf(await answerOf(scoop, 'scoop', feed, { path: 'harbor.json' })) ?? assert.fail()
  assertManifest(JSON.parse(body) as Record<string, unknown>)
  assert.equal((JSON.parse(body) as { bin: string }).bin, 'harbor.exe')
})

test('lists releases in pages, as Gitea does', async () => {
  const builds = [{ platform: 'linux', filename: 'harbor.tar.gz' }]
  const versions = ['3.0.0-beta.1', ...Array.from({ length: 64 }, (_, index) => `2.${64 - index}.0`)]
  const feed = sampleFeed(versions.map((version) => sampleEntry({ version, builds })))
  const path = 'api/v1/repos/quayside/harbor/releases'
  const list = async (query: Record<string, string>) => {
    const answer = await answerOf(gitea, 'gitea', feed, { path, query })
    if (answer === undefined || typeof answer === 'string' || 'file' in answer) return assert.fail()
    const { link = '', 'x-total-count': total } = answer.headers ?? {}
    const tags = (JSON.parse(answer.body.toString()) as { tag_name: string }[]).map((each) => each.tag_name)
    return { tags, total, next: /<([^>]+)>; rel="next"/.exec(link)?.[1] }
  }
  // As the client of mise does (jdx/mise@2159e9c:src/forgejo.rs).
  const found: string[] = []
  let query: Record<string, string> | undefined = {}
  while (query !== undefined) {
    const { tags, total, next } = await list(query)
    assert.equal(total, '65')
    found.push(...tags)
    query = next === undefined ? undefined : Object.fromEntries(new URL(next).searchParams)
  }
  assert.deepEqual(found, versions)
  assert.equal((await list({ per_page: '100' })).tags.length, 65)
  assert.deepEqual((await list({ 'pre-release': 'true' })).tags, ['3.0.0-beta.1'])
  assert.deepEqual((await list({ page: '99', limit: '10' })).tags, [])
  for (const value of ['0', '-1', 'x', '1e9', ''])
    assert.ok((await list({ limit: value })).tags.length <= 100)
  const latest = bodyOf(await answerOf(gitea, 'gitea', feed, { path: `${path}/latest` }))
  assert.equal((JSON.parse(latest ?? '{}') as { tag_name: string }).tag_name, '2.64.0')
  const byTag = bodyOf(await answerOf(gitea, 'gitea', feed, { path: `${path}/tags/v2.1.0` }))
  assert.equal((JSON.parse(byTag ?? '{}') as { tag_name: string }).tag_name, '2.1.0')
})

test('serves NuGet packages by their own versions, and not those of Velopack', async () => {
  const of = (version: string, own: string, name = 'Harbor.Client') =>
    sampleEntry({
      version,
      builds: [
        {
          platform: 'generic',
          filename: `${name}.nupkg`,
          package: {
            format: 'nupkg',
            name,
            version: own,
            dependencies: ['Fabrikam.Core [1.0, 2.0)', 'Bare'],
          },
        },
        { platform: 'generic', filename: `Harbor-${version}-full.nupkg` },
      ],
    })
  const feed = sampleFeed([
    of('3.0.0', '3.0.0-Beta.1'),
    of('2.0.0', '02.0'),
    of('1.0.0', '1.0.0.0+build'),
    of('0.9.0', '1.0', '../../etc'),
  ])
  const ask = async (path: string, query: Record<string, string> = {}) => {
    const answer = await answerOf(nuget, 'nuget', feed, { path, query })
    return answer === undefined || typeof answer === 'string' || 'file' in answer
      ? answer
      : JSON.parse(answer.body.toString())
  }
  const index = await ask('index.json')
  const types = new Set(index.resources.map((each: Record<string, string>) => each['@type']))
  for (const type of ['PackageBaseAddress/3.0.0', 'RegistrationsBaseUrl/3.6.0', 'SearchQueryService'])
    assert.ok(types.has(type))
  assert.deepEqual(await ask('flat/harbor.client/index.json'), {
    versions: ['1.0.0', '2.0.0', '3.0.0-beta.1'],
  })
  const file = await ask('flat/harbor.client/3.0.0-beta.1/harbor.client.3.0.0-beta.1.nupkg')
  assert.equal(file.file.build.id, '3.0.0 0')
  assert.equal(await ask('flat/harbor.client/3.0.0-beta.1/other.nupkg'), undefined)
  const { items } = await ask('registration/harbor.client/index.json')
  assert.deepEqual([items[0].lower, items[0].upper, items[0].count], ['1.0.0', '3.0.0-Beta.1', 3])
  assert.deepEqual(items[0].items[0].catalogEntry.dependencyGroups[0].dependencies, [
    { id: 'Fabrikam.Core', range: '[1.0, 2.0)' },
    { id: 'Bare', range: '' },
  ])
  const leaf = await ask('registration/harbor.client/2.0.0.json')
  assert.equal(
    leaf.packageContent,
    'https://builds.example.com/u/23456789ab/nuget/2.0.0/2.0.0%200/Harbor.Client.nupkg',
  )
  const search = await ask('query', { q: 'harbor' })
  assert.deepEqual([search.totalHits, search.data[0].version], [1, '2.0.0'])
  assert.equal((await ask('query', { q: 'harbor', prerelease: 'true' })).data[0].version, '3.0.0-Beta.1')
  assert.equal((await ask('query', { q: 'other' })).totalHits, 0)
})
