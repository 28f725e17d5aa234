import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { request } from 'undici'
import { startService, type Service } from '../../../test/harness.ts'
import { checkManifestAddress } from './manifest-check.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

/** Checks a public URL that leads to a server of the test. */
async function check(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    return await checkManifestAddress({ publicUrl }, service.deps.secretBox)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** Passes a request on to the service, as a reverse proxy does. */
async function forward(url = '') {
  const { statusCode, headers, body } = await request(`${service.url}${url}`)
  return { status: statusCode, contentType: String(headers['content-type']), text: await body.text() }
}

test('finds the manifest address of a correct installation, directly and through a proxy', async () => {
  const { status, body } = await service.call('GET', '/workspace/ios-installation-check', {
    key: (await service.tenant()).workspaceKey,
  })
  assert.equal(status, 200)
  assert.deepEqual(
    body.data.findings.map((finding: { check: string; status: string }) => [finding.check, finding.status]),
    [
      ['tls', 'warning'],
      ['iOS manifest', 'ok'],
    ],
  )
  const paths: string[] = []
  const proxied = await check((incoming, response) => {
    paths.push(incoming.url ?? '')
    void forward(incoming.url).then(({ contentType, text }) =>
      response.setHeader('content-type', contentType).end(text),
    )
  })
  assert.equal(proxied.status, 'ok', proxied.detail)
  assert.equal(paths.length, 1)
  assert.match(paths[0] ?? '', /^\/i\/t\.[\w-]{22}\/manifest\.plist$/)
})

test('reports a proxy that does not pass the manifest on', async () => {
  const cases: [RequestListener, RegExp][] = [
    [(_, response) => response.writeHead(404).end(), /responds with status 404/],
    [(_, response) => response.writeHead(302, { location: service.url }).end(), /responds with status 302/],
    [
      (incoming, response) =>
        void forward(incoming.url).then(({ text }) =>
          response.setHeader('content-type', 'text/plain').end(text),
        ),
      /has the content type text\/plain/,
    ],
    [
      (_, response) => response.setHeader('content-type', 'text/xml').end(`<plist>${'x'.repeat(100_000)}`),
      /leads to another server/,
    ],
  ]
  for (const [listener, detail] of cases) {
    const finding = await check(listener)
    assert.equal(finding.status, 'failure')
    assert.match(finding.detail, detail)
    assert.match(finding.advice ?? '', /Let the reverse proxy pass \/i\//)
  }
})

test('reports a server that does not respond', async () => {
  const closed = await check((incoming) => incoming.socket.destroy())
  assert.equal(closed.status, 'failure')
  assert.match(closed.detail, /the manifest address http:\/\/127\.0\.0\.1:\d+\/i\/… does not respond: /)
  assert.match(closed.advice ?? '', /firewall/)
})
