import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startOwnService, type Service } from '../../../test/harness.ts'
import { createBrowser, textOf } from '../../../test/page-browser.ts'
import { uploadedBuild } from '../../../test/uploading.ts'

let service: Service

before(async () => {
  service = await startOwnService()
})
after(() => service.close())

const payloads = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  `'"--></style></script><svg onload=alert(1)>`,
  '</title><base href=//evil.example>',
  '{{constructor.constructor("alert(1)")()}}${alert(1)}',
  '&lt;script&gt;&#x3c;b&#x3e;',
  '<iframe srcdoc="<script>alert(1)</script>">',
]

const markdownPayloads = [
  '[a](javascript:alert(1))',
  '[a](JaVaScRiPt:alert(1))',
  '[a](data:text/html,<script>alert(1)</script>)',
  '[a](https://example.com/"onmouseover="alert(1))',
  '[a](https://example.com "x\\" onclick=\\"alert(1)")',
  '![a](javascript:alert(1))',
  '![a" onerror="alert(1)](https://evil.example/pixel.png)',
  '<javascript:alert(1)>',
  '<a href="javascript:alert(1)">a</a>',
  '<!--><script>alert(1)</script>-->',
  '`<script>alert(1)</script>`',
  '```"><script>\n</code></pre><script>alert(1)</script>\n```',
  '| <script>alert(1)</script> |\n|-|\n| <img src=x onerror=alert(1)> |',
  '# <script>alert(1)</script>',
  '[a]: javascript:alert(1)\n\n[a]',
  'https://example.com/<script>alert(1)</script>',
  '<form action=//evil.example><input name=password>',
  '- [x] <meta http-equiv=refresh content="0;url=//evil.example">',
]

const allowedElements = new Set(
  `a article blockquote body br button code dd del details div dl dt em footer form h1 h2 h3 h4 h5 h6 head header
  hr html img input label li link main meta ol p path circle rect pre section span strong style summary svg table nav option select tbody
  td th thead time title tr ul`.split(/\s+/),
)
const allowedAttributes = new Set(
  `action align alt aria-current aria-describedby aria-hidden aria-invalid aria-label autocomplete autofocus checked charset class content cx cy d datetime disabled fill for
  height href id inputmode lang maxlength method name open property r rel required role rx selected src stroke stroke-linecap stroke-linejoin stroke-width title type
  value viewbox width x y`.split(/\s+/),
)

/** Asserts that the markup contains only elements, attributes and addresses that pages use. */
function assertHarmless(markup: string): void {
  const withoutStyle = markup.replace(/<style>[^<]*<\/style>/, '')
  for (const [tag, name = '', attributes = ''] of withoutStyle.matchAll(/<\/?([a-z!][^\s/>]*)([^>]*)>/gi)) {
    if (name.toLowerCase() === '!doctype') continue
    assert.ok(allowedElements.has(name.toLowerCase()), tag)
    const pairs = attributes.matchAll(/([^\s="'/]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s>]+))?/g)
    for (const [, attribute = '', quoted = ''] of pairs) {
      assert.ok(allowedAttributes.has(attribute.toLowerCase()), tag)
      const value = quoted.replaceAll(/^"|"$/g, '')
      if (attribute === 'href')
        assert.match(
          value,
          /^(https?:\/\/example\.com(\/|$)|https:\/\/evil\.example\/|\/api\/v1\/|\/favicon\.svg$|\/p\/[a-z0-9]{10}(\/|\?|$))/,
          tag,
        )
      if (['src', 'action'].includes(attribute)) assert.match(value, /^\/(api\/v1|p)\//, tag)
    }
  }
}

test('shows hostile text of every field as text', async () => {
  for (const payload of payloads) {
    const tenant = await service.tenant()
    const { workspaceId, applicationId, workspaceKey: key, applicationKey } = tenant
    await service.deps.db
      .updateTable('workspaces')
      .set({ name: payload })
      .where('id', '=', workspaceId)
      .execute()
    await service.deps.db
      .updateTable('applications')
      .set({ name: payload })
      .where('id', '=', applicationId)
      .execute()
    const { build } = await uploadedBuild(service, tenant, {
      platform: 'generic',
      primary_file: { filename: `${payload.replaceAll('/', '_')}.bin` },
      custom_build_number: payload,
      notes: payload,
    })
    const release = await service.call('POST', `/applications/${applicationId}/releases`, {
      key,
      body: {
        title: payload,
        notes: [payload, ...markdownPayloads].join('\n\n'),
        version_component_1_major: 1,
        version_component_2_minor: 0,
        version_component_3_patch: 0,
        build_ids: [build.id],
      },
    })
    assert.equal(release.status, 201, release.text)
    for (const path of [`builds/${build.id}`, `releases/${release.body.data.id}`]) {
      const link = await service.call('POST', `/applications/${applicationId}/${path}/share-links`, {
        key: applicationKey,
        body: {},
      })
      const page = await createBrowser().open(link.body.data.url)
      assert.equal(page.status, 200)
      assertHarmless(page.text)
      assert.ok(textOf(page).includes(payload.replaceAll(/\s+/g, ' ')), payload)
    }
    await service.deps.db
      .updateTable('streams')
      .set({ name: payload, description: payload })
      .where('id', '=', build.stream.id)
      .execute()
    const created = await service.call('POST', '/portals', {
      key,
      body: { name: 'Portal', description: payload, type: 'public' },
    })
    const { id: portalId, portal_url: url } = created.body.data
    await service.deps.db.updateTable('portals').set({ name: payload }).where('id', '=', portalId).execute()
    const modes = { streams_mode: 'all', releases_mode: 'all' }
    await service.call('PUT', `/portals/${portalId}/applications/${applicationId}`, { key, body: modes })
    for (const path of [
      '',
      `?q=${encodeURIComponent(payload)}`,
      '/changelog',
      `/releases/${release.body.data.id}`,
      `/streams/${build.stream.id}`,
      `/streams/${build.stream.id}/builds/${build.id}`,
    ]) {
      const page = await createBrowser().open(`${url}${path}`)
      assert.equal(page.status, 200, page.text)
      assertHarmless(page.text)
      assert.ok(textOf(page).includes(payload.replaceAll(/\s+/g, ' ')), `${path} ${payload}`)
    }
    for (const format of ['rss', 'atom']) {
      const { text } = await createBrowser().open(`${url}/feed.${format}`)
      assert.ok(!text.includes('<script') && !text.includes('<img') && !text.includes('<svg'), text)
    }
    await service.call('PATCH', `/portals/${portalId}`, { key, body: { type: 'private' } })
    const closed = await createBrowser().open(url)
    assertHarmless(closed.text)
    const refused = await createBrowser().post(`${url}/code`, { email: payload })
    assert.equal(refused.status, 422)
    assertHarmless(refused.text)
  }
})
