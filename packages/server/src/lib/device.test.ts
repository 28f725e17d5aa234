import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceOf } from './device.ts'

for (const [device, userAgent] of [
  ['android', 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36'],
  ['ios', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1'],
  ['macos', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Safari/605.1.15'],
  ['windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0'],
  ['linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'],
  ['unknown', 'curl/8.14.1'],
  ['unknown', null],
] as const)
  test(`identifies ${userAgent ?? 'a request without a user agent'} as ${device}`, () => {
    assert.equal(deviceOf(userAgent), device)
  })
