import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChatCard } from '../../net/chat/chat-card.ts'
import { chatCard } from './chat-card.ts'
import { encodePayload } from './webhook-format.ts'

const hostileText =
  '*bold* _it_ ~s~ `code` ||spoiler|| [click](https://evil.example) <https://evil.example|x> @everyone'
const hostileMentions = '<!channel> <@U123> <@&42> <at>All</at> &amp; \\* ${x} :tada: https://evil.example'

type Build = Record<string, unknown>

const build = (fields: Build = {}): Build => ({
  id: '3k5m7p9r2t',
  version: '1.2.3',
  build_number: '45',
  stream: { name: 'nightlies' },
  platform: { name: 'Android' },
  architectures: [{ name: 'ARM64' }],
  labels: [{ name: 'ready' }, { name: 'signed' }],
  scm: { scm_branch: 'main', scm_commit_sha_short: 'abc1234' },
  links: { scm_commit_url: 'https://github.com/acme/game/commit/abc1234?a=(1)' },
  size_total_string: '3.39 MB',
  modal_url: 'https://builds.example.com/applications/a/builds/3k5m7p9r2t',
  notes: 'Fixes\nthe menu',
  ...fields,
})

// The message is not typed, because each service has its own format.
// oxlint-disable-next-line typescript/no-explicit-any
type Encoded = { body: string; message: any }

function encode(format: string, data: object, event = 'build.created', name = 'Game & Co'): Encoded {
  const payload = JSON.stringify({ id: 'e', event, created: 1, data })
  const { contentType, body } = encodePayload({ payload, format, application_name: name })
  assert.match(contentType, /^application\/json/)
  return { body, message: JSON.parse(body) }
}

const expectedCard: ChatCard = {
  title: 'New build',
  subject: 'Game & Co 1.2.3 (45)',
  url: 'https://builds.example.com/applications/a/builds/3k5m7p9r2t',
  facts: [
    { name: 'Stream', value: 'nightlies' },
    { name: 'Platform', value: 'Android (ARM64)' },
    { name: 'Labels', value: 'ready, signed' },
    { name: 'Commit', value: 'main@abc1234', url: 'https://github.com/acme/game/commit/abc1234?a=(1)' },
    { name: 'Size', value: '3.39 MB' },
  ],
  notes: 'Fixes the menu',
}

test('creates a card with the build, its origin, its size and a link', () => {
  const envelope = { id: 'e', event: 'build.created', created: 1, data: { build: build() } }
  assert.deepEqual(chatCard(envelope, 'Game & Co'), expectedCard)
})

test('creates a card for the added label, a release, a stopped rollout and sample data', () => {
  const card = (event: string, data: Record<string, unknown>) =>
    chatCard({ id: 'e', event, created: 1, data }, 'Game')
  const added = card('build.label.added', { build: build(), label: { name: 'ready' } })
  assert.deepEqual([added.title, added.facts[0]], ['Label added', { name: 'Label', value: 'ready' }])
  assert.ok(!added.facts.some(({ name }) => name === 'Labels'))
  const platform = { name: 'iOS' }
  const release = { version: '2.0.0', title: 'Spring', builds: [{ platform }, { platform }], labels: [] }
  assert.deepEqual(card('release.created', { release }), {
    title: 'New release',
    subject: 'Game 2.0.0',
    url: undefined,
    facts: [
      { name: 'Title', value: 'Spring' },
      { name: 'Builds', value: '2' },
      { name: 'Platforms', value: 'iOS' },
    ],
    notes: undefined,
  })
  const rollout = { version: '2.0.0', percentage: 20, stopped_by_rule: { reports: 60, failures: 4 } }
  assert.deepEqual(card('rollout.stopped', { rollout, channel: { name: 'Stable' } }), {
    title: 'Rollout stopped',
    subject: 'Game 2.0.0',
    url: undefined,
    facts: [
      { name: 'Channel', value: 'Stable' },
      { name: 'Offered to', value: '20 %' },
      { name: 'Failures', value: '4 of 60 reports' },
    ],
    notes: undefined,
  })
  const sample = card('build.created', { build: { id: 'example', version: '1.0.0' }, test: true })
  assert.deepEqual([sample.title, sample.subject, sample.facts], ['Test: New build', 'Game 1.0.0', []])
})

test('links only to http and https URLs of a usable length', () => {
  for (const url of ['javascript:alert(1)', `https://x.org/${'a'.repeat(2_000)}`, null, undefined]) {
    const data = { build: build({ modal_url: url, links: { scm_commit_url: url } }) }
    const card = chatCard({ id: 'e', event: 'build.created', created: 1, data }, 'Game')
    assert.equal(card.url, undefined)
    assert.ok(card.facts.every((fact) => fact.url === undefined))
  }
})

test('sends Slack rich text with an escaped notification text', () => {
  const { message } = encode('slack', { build: build() })
  assert.equal(message.text, `New build: <${expectedCard.url}|Game &amp; Co 1.2.3 (45)>`)
  const [section, quote] = message.blocks[0].elements
  assert.deepEqual(section.elements.slice(0, 4), [
    { type: 'text', text: 'New build: ' },
    { type: 'link', text: 'Game & Co 1.2.3 (45)', url: expectedCard.url, style: { bold: true } },
    { type: 'text', text: '\nStream: ', style: { bold: true } },
    { type: 'text', text: 'nightlies' },
  ])
  assert.deepEqual(quote, { type: 'rich_text_quote', elements: [{ type: 'text', text: 'Fixes the menu' }] })
})

test('sends Discord an embed that cannot mention anyone', () => {
  const { message } = encode('discord', { build: build() })
  assert.deepEqual(message.allowed_mentions, { parse: [] })
  const [embed] = message.embeds
  assert.deepEqual([embed.title, embed.url], ['Game & Co 1\\.2\\.3 \\(45\\)', expectedCard.url])
  assert.deepEqual(embed.fields[3], {
    name: 'Commit',
    value: '[main\\@abc1234](https://github.com/acme/game/commit/abc1234?a=%281%29)',
    inline: true,
  })
})

test('sends Microsoft Teams an Adaptive Card with links as actions', () => {
  const { message } = encode('teams', { build: build() })
  assert.equal(message.type, 'message')
  const [{ contentType, content }] = message.attachments
  assert.equal(contentType, 'application/vnd.microsoft.card.adaptive')
  assert.deepEqual([content.type, content.version], ['AdaptiveCard', '1.4'])
  assert.deepEqual(
    content.actions.map(({ title, url }: { title: string; url: string }) => [title, url]),
    [
      ['Open build', expectedCard.url],
      ['Open commit', 'https://github.com/acme/game/commit/abc1234?a=(1)'],
    ],
  )
})

const hostileBuild = (text: string) =>
  build({
    version: text,
    build_number: text,
    notes: text,
    stream: { name: text },
    labels: [{ name: text }],
    scm: { scm_branch: text, scm_commit_sha_short: text },
  })

for (const text of [hostileText, hostileMentions]) {
  test(`shows markup in names literally: ${text.slice(0, 20)}`, () => {
    const data = { build: hostileBuild(text) }
    const slack = encode('slack', data, 'build.created', text).message
    assert.doesNotMatch(slack.text.replace(/^New build: <https:[^|>]+\|/, '').slice(0, -1), /[<>]/)
    const kinds = slack.blocks[0].elements.flatMap(({ elements }: { elements: { type: string }[] }) =>
      elements.map(({ type }) => type),
    )
    assert.ok(kinds.every((type: string) => type === 'text' || type === 'link'))

    const { embeds } = encode('discord', data, 'build.created', text).message
    const [{ title, description, fields }] = embeds
    const values = fields.filter(({ name }: { name: string }) => name !== 'Commit')
    for (const shown of [title, description, ...values.map(({ value }: { value: string }) => value)])
      assert.doesNotMatch(shown.replaceAll(/\\[^a-z\d\s]/gi, ''), /[\\*_~`|>#[\]()<@:]/)

    const card = encode('teams', data, 'build.created', text).message.attachments[0].content
    for (const { type, inlines } of card.body) {
      assert.equal(type, 'RichTextBlock')
      assert.ok(inlines.every((inline: { type: string }) => inline.type === 'TextRun'))
    }
  })
}

test('stays below the size limits of each service with names of the maximum length', () => {
  for (const character of ['*', '漢', '👩', '"']) {
    const long = character.repeat(20_000)
    const data = {
      build: {
        ...hostileBuild(long),
        size_total_string: long,
        custom_target: { name: long },
        platform: { name: long },
        links: { scm_commit_url: `https://x.org/${'('.repeat(1_900)}` },
      },
      label: { name: long },
    }
    const [slack, discord, teams] = ['slack', 'discord', 'teams'].map((format) =>
      encode(format, data, 'build.label.added', long),
    )
    assert.ok(slack!.message.text.length < 3_000)
    assert.ok(slack!.body.length < 12_000, `${slack!.body.length}`)
    const [embed] = discord!.message.embeds
    assert.ok(embed.title.length <= 256 && embed.description.length <= 4_096)
    const values = embed.fields.map(({ name, value }: { name: string; value: string }) => name + value)
    assert.ok(embed.fields.every(({ value }: { value: string }) => value.length <= 1_024))
    const texts = [embed.author.name, embed.title, embed.description, ...values]
    assert.ok(texts.join('').length <= 6_000, `${texts.join('').length}`)
    assert.ok(Buffer.byteLength(teams!.body) < 28 * 1024)
  }
})
