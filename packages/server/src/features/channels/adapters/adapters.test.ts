import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parse } from 'yaml'
import { missing, runText } from '../../../../test/inspection/programs.ts'
import type { RolloutRules } from '../rollouts/rollout-rules.ts'
import type { Adapter, Entry, Feed } from './adapter.ts'
import { formats, type FormatId } from './formats.ts'
import { findAtPath } from './published-files.ts'
import {
  answerOf,
  bodyOf,
  sampleEntry,
  sampleFeed,
  sampleUrl,
  type SampleEntry,
} from './samples/feed.fixture.ts'
import { formatFixtures } from './samples/formats.fixture.ts'
import { hostileTexts } from './samples/hostile-texts.fixture.ts'

const fileNameOf = (text: string): string =>
  text
    // eslint-disable-next-line no-control-regex -- file names cannot contain control characters
    .replaceAll(/[/\0-\u001f\u007f]/g, '_')
    .toWellFormed()
    .slice(0, 60)

/** Returns the file to which a URL in a document leads, as clients resolve it. */
async function fileAt(feed: Feed, format: FormatId, { path, url }: { path: string; url: string }) {
  const base = `${sampleUrl}/${format}/`
  const resolved = new URL(url, new URL(path, base)).href
  assert.ok(resolved.startsWith(base), resolved)
  const own = resolved.slice(base.length)
  const answer = await answerOf(formats[format], format, feed, { path: own })
  if (answer === undefined) return findAtPath(own.split('/').map(decodeURIComponent), feed)
  return typeof answer === 'object' && 'file' in answer ? answer.file : undefined
}

for (const [id, adapter] of Object.entries(formats) as [FormatId, Adapter][])
  describe(adapter.name, () => {
    const { builds, incomplete, missing, request, saysNoUpdate, read, unknown } = formatFixtures[id]
    const entry = (version: string, fields: Partial<SampleEntry> = {}): Entry =>
      sampleEntry({ version, builds: builds(version), ...fields })
    const ask = (feed: Feed, current = '1.0.0') => answerOf(adapter, id, feed, request(current))
    const newestFor = async (feed: Feed, current?: string) => {
      const body = bodyOf(await ask(feed, current))
      return body === undefined ? undefined : read(body).versions[0]
    }

    test('offers the newest version, with URLs of its files', async () => {
      const feed = sampleFeed([entry('2.0.0'), entry('1.0.0')])
      const { versions, urls } = read(bodyOf(await ask(feed)) ?? assert.fail('no document'))
      assert.equal(versions[0], '2.0.0')
      assert.ok(urls.length > 0)
      const { path } = request('1.0.0')
      const files = await Promise.all(
        urls.map(async (url) => (await fileAt(feed, id, { path, url })) ?? assert.fail(url)),
      )
      assert.ok(files.some((file) => file.build.id === '2.0.0 0'))
      assert.equal(await ask(feed, '2.0.0').then((answer) => answer === 'no update'), saysNoUpdate)
    })

    test('reports what a version lacks, and offers the one before', async () => {
      const lacking = entry('2.0.0', { builds: incomplete('2.0.0') })
      const feed = sampleFeed([lacking, entry('1.5.0')])
      const found = await adapter.listMissing(lacking, feed)
      assert.match(found.map(({ message }) => message).join(' '), missing)
      assert.equal(await newestFor(feed), '1.5.0')
      assert.deepEqual(await adapter.listMissing(entry('2.0.0'), feed), [])
      if (adapter.index === undefined) assert.equal(await newestFor(sampleFeed([lacking])), undefined)
    })

    test('does not offer a version that is stopped or rolled back', async () => {
      for (const state of ['stopped', 'rolled_back'] as const) {
        const feed = sampleFeed([entry('2.0.0', { rollout: { state } }), entry('1.5.0')])
        assert.equal(await newestFor(feed), '1.5.0', state)
        const [file] = feed.all[0]?.files ?? []
        assert.equal(findAtPath(['2.0.0', file?.filename ?? ''], feed), undefined)
      }
    })

    test('offers a version in a rollout as its client supports it', async () => {
      const partly = (percentage: number, rollout: Partial<RolloutRules> = {}) => [
        entry('2.0.0', { rollout: { percentage, ...rollout } }),
        entry('1.5.0'),
      ]
      const cohorts = new Set(['testers'])
      const tester = { client: { id: undefined, cohorts } }
      const ids = Array.from({ length: 200 }, (_, index) => ({
        client: { id: `client ${index}`, cohorts: new Set<string>() },
      }))
      if (adapter.rollout === 'client') {
        assert.match(bodyOf(await ask(sampleFeed(partly(20)))) ?? '', / # 20%$/m)
        assert.equal(await newestFor(sampleFeed(partly(0))), '1.5.0')
        return
      }
      assert.equal(await newestFor(sampleFeed(partly(99))), '1.5.0')
      assert.equal(await newestFor(sampleFeed(partly(100))), '2.0.0')
      if (adapter.rollout === 'complete_only') return
      assert.equal(await newestFor(sampleFeed(partly(0, { cohorts: ['testers'] }), tester)), '2.0.0')
      const offered = await Promise.all(ids.map(async (client) => newestFor(sampleFeed(partly(50), client))))
      const count = offered.filter((version) => version === '2.0.0').length
      assert.ok(count > 60 && count < 140, `${count}`)
    })

    test('keeps hostile titles and notes inert', async () => {
      for (const text of hostileTexts) {
        const feed = sampleFeed([entry('2.0.0', { title: text, notes: text })], { applicationName: text })
        const { versions, title, notes } = read(bodyOf(await ask(feed)) ?? assert.fail(text))
        assert.equal(versions[0], '2.0.0', text)
        const plain = text.toWellFormed()
        if (id === 'sparkle' || id === 'winsparkle') {
          // eslint-disable-next-line no-control-regex -- XML cannot contain control characters
          const inXml = plain.replaceAll(/[\0-\b\v\f\u000e-\u001f\ufffe\uffff]/g, '')
          assert.equal(title, inXml, text)
          assert.doesNotMatch(
            notes ?? '',
            /<(?:script|img|iframe|svg|style|base|form)\b|javascript:[^&]*"/i,
            text,
          )
        } else {
          if (title !== undefined) assert.equal(title.toWellFormed(), plain)
          if (notes !== undefined) assert.equal(notes.toWellFormed(), plain)
        }
      }
    })

    test('leads to files with hostile names', async () => {
      for (const text of hostileTexts) {
        const name = fileNameOf(text)
        const named = builds('2.0.0').map((build) => {
          const filename =
            id === 'velopack' || id === 'squirrel-windows'
              ? `${name}-2.0.0-full.nupkg`
              : `${name}${build.filename}`
          const artifacts = Object.entries(build.artifacts ?? {}).map(([own, content]) => [
            own.replace(build.filename, filename),
            content,
          ])
          return { ...build, filename, artifacts: Object.fromEntries(artifacts) }
        })
        const feed = sampleFeed([sampleEntry({ version: '2.0.0', builds: named })])
        const body = bodyOf(await ask(feed)) ?? assert.fail(text)
        // Clients know the version by the name of the file.
        const urls =
          id === 'squirrel-windows'
            ? body
                .split('\n')
                .map((line) => line.split(' ')[1] ?? '')
                .filter(Boolean)
            : read(body).urls
        for (const url of urls) {
          const file = await fileAt(feed, id, { path: request('1.0.0').path, url })
          assert.equal(file?.filename, named[0]?.filename, url)
        }
      }
    })

    test('ignores paths that it does not know', async () => {
      const feed = sampleFeed([entry('2.0.0')])
      for (const path of unknown) assert.equal(await answerOf(adapter, id, feed, { path }), undefined, path)
      for (const text of hostileTexts) {
        const path = text.toWellFormed().split('/').map(encodeURIComponent).join('/')
        const answer = await answerOf(adapter, id, feed, { path })
        assert.ok(answer === undefined || answer === 'no update', text)
      }
    })
  })

test(
  'writes YAML that libyaml reads with every hostile text as it is',
  { skip: missing('ruby') },
  async () => {
    const texts = hostileTexts.map((text) => text.toWellFormed())
    const documents = await Promise.all(
      texts.map(async (text) => {
        const filename = `${fileNameOf(text)}.exe`
        const builds = [{ platform: 'windows', filename }]
        const feed = sampleFeed([sampleEntry({ version: '2.0.0', builds, title: text, notes: text })])
        return (
          bodyOf(await answerOf(formats.electron, 'electron', feed, { path: 'latest.yml' })) ??
          assert.fail(text)
        )
      }),
    )
    const program = 'puts JSON.generate(JSON.parse($stdin.read).map { |text| YAML.safe_load(text) })'
    const read = JSON.parse(
      runText('ruby', ['-Ku', '-ryaml', '-rjson', '-e', program], JSON.stringify(documents)),
    ) as { version: string; releaseName: string; releaseNotes?: string }[]
    for (const [index, text] of texts.entries()) {
      const document = read[index] ?? assert.fail(text)
      assert.deepEqual([document.version, document.releaseName], ['2.0.0', text])
      assert.equal(document.releaseNotes, text)
      // The parser of the shared suite reads the same.
      assert.deepEqual(document, parse(documents[index] ?? ''))
    }
  },
)
