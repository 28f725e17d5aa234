import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { before, describe, test } from 'node:test'
import { expectOk } from './client.ts'
import { freePort } from './free-port.ts'
import type { Service } from './npm-start.ts'
import { sharedService } from './one-start.ts'
import { reasonToSkipProxies, startCaddy, startNginx, type Addresses, type Proxy } from './proxies.ts'

describe('event streams behind a reverse proxy', { skip: reasonToSkipProxies() }, () => {
  let service: Service
  before(async () => {
    service = await sharedService()
  })

  const proxies: [string, (addresses: Addresses) => Promise<Proxy>][] = [
    ['nginx', startNginx],
    ['Caddy', startCaddy],
  ]
  for (const [name, start] of proxies)
    test(`are forwarded by ${name} without delay`, async (t) => {
      const https = await freePort()
      const { port, dataDir } = service
      const proxy = await start({ service: port, dataDir, https, http: await freePort() })
      const { id } = expectOk(await service.client.createApplication(`Events with ${name}`)).data
      const outgoing = request(`https://localhost:${https}/api/v1/applications/${id}/events`, {
        ca: proxy.certificate,
        headers: { authorization: `Bearer ${service.key}` },
        agent: false,
      }).end()
      t.after(async () => {
        // The proxy waits for open connections before it stops.
        outgoing.on('error', () => {}).destroy()
        await proxy.stop()
      })
      const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
      assert.equal(response.headers['content-type'], 'text/event-stream')
      response.setEncoding('utf8').on('error', () => {})
      const received = (pattern: RegExp) =>
        new Promise<void>((resolve) => {
          let text = ''
          response.on('data', (chunk: string) => {
            text += chunk
            if (pattern.test(text)) resolve()
          })
        })
      await received(/event: ready/)
      const changed = received(/event: change\n.*\n.*"type":"stream"/)
      const created = await fetch(`${service.url}/api/v1/applications/${id}/streams`, {
        method: 'POST',
        headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'weekly' }),
      })
      assert.equal(created.status, 201)
      await changed
    })
})
