import assert from 'node:assert/strict'
import { rm, truncate } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { until } from '../../../test/until.ts'
import { noMetrics } from '../../lib/metrics.ts'
import type { SealedObject } from '../driver.ts'
import { collectLog, countOpenFiles, openDownload } from './local-driver.fixture.ts'

describe('download failures', { concurrency: 4 }, () => {
  for (const [description, damage, code] of [
    ['missing', (path: string) => rm(path), 'storage.file_missing'],
    ['empty', (path: string) => truncate(path, 0), 'storage.file_resized'],
    ['shorter than when it was sealed', (path: string) => truncate(path, 2_999_999), 'storage.file_resized'],
  ] as const) {
    test(`returns 503 and logs an alarm when a stored file is ${description}`, async (t) => {
      const { log, lines } = collectLog()
      const { url, folder, object } = await openDownload(t, [3_000_000], { log })
      await damage(join(folder, object.segments[0]?.name ?? ''))
      for (const init of [{}, { method: 'HEAD' }, { headers: { range: 'bytes=5-9' } }]) {
        const response = await fetch(url, init)
        assert.equal(response.status, 503)
        assert.equal(response.headers.get('retry-after'), '60')
        if (!('method' in init)) assert.equal(((await response.json()) as { code: string }).code, code)
      }
      const alarms = lines().filter(({ alarm }) => alarm === 'storage')
      assert.deepEqual(
        alarms.map(({ level, key }) => ({ level, key })),
        Array.from({ length: 3 }, () => ({ level: 50, key: object.key })),
      )
    })
  }

  test('closes the connection instead of completing a 200 response when a later part is truncated', async (t) => {
    const { url, folder, object, whole } = await openDownload(t, [3_000_000, 3_000_000])
    await truncate(join(folder, object.segments[1]?.name ?? ''), 1_000_000)
    const response = await fetch(url)
    assert.equal(response.headers.get('content-length'), String(whole.length))
    await assert.rejects(response.arrayBuffer())
    assert.equal((await fetch(url, { headers: { range: 'bytes=0-99' } })).status, 206)
  })

  test('logs an alarm when a later part is found to be missing during a download', async (t) => {
    const { log, lines } = collectLog()
    const { url, folder, object } = await openDownload(t, [1_000_000, 1_000_000], { log })
    await rm(join(folder, object.segments[1]?.name ?? ''))
    await assert.rejects((await fetch(url)).arrayBuffer())
    await until('the alarm', async () => lines().some(({ alarm }) => alarm === 'storage'))
  })

  test('returns 404 when an object is deleted as a download starts', async (t) => {
    let found: SealedObject | undefined
    const { url, object, driver } = await openDownload(t, [1000], {
      findObject: async () => {
        const result = found
        found = undefined
        return result
      },
    })
    found = object
    await driver.remove(object)
    assert.equal((await fetch(url)).status, 404)
  })

  test('logs nothing when clients disconnect during a download', async (t) => {
    const { log, lines } = collectLog()
    const { origin, target, directory } = await openDownload(t, [30_000_000], { log })
    for (const end of ['destroy', 'resetAndDestroy'] as const) {
      const socket = connect(Number(new URL(origin).port), '127.0.0.1')
      socket.on('error', () => undefined)
      socket.write(`GET ${target} HTTP/1.1\r\nhost: a\r\n\r\n`)
      await new Promise((resolve) => socket.once('data', resolve))
      socket[end]()
      await until('the file to be closed', async () => (await countOpenFiles(directory)) === 0)
    }
    assert.deepEqual(lines(), [])
  })

  test('ends the transfer if bytes are sent while the connection is being closed', async (t) => {
    let transfers = 0
    const startTransfer = () => {
      transfers += 1
      return { add: () => {}, end: () => void (transfers -= 1) }
    }
    const metrics = { ...noMetrics, startTransfer }
    const { server, url, directory } = await openDownload(t, [3_000_000], { metrics })
    server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
      const write = response.write.bind(response) as (...args: unknown[]) => boolean
      response.write = (...args: unknown[]) => {
        response.socket?.destroy()
        return write(...args)
      }
    })
    await assert.rejects(fetch(url))
    await until('the transfer to end', () => transfers === 0, { withinMs: 30_000 })
    await until('the file to be closed', async () => (await countOpenFiles(directory)) === 0)
  })
})
