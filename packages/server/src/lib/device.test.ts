import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientHintsOf, deviceDetailsOf, deviceOf } from './device.ts'

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

test('reads the version of Android and the architecture from client hints and user agents', () => {
  const android =
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36'
  const windows =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36'
  const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/140.0.0.0 Safari/537.36'
  const hints = (architecture: string, bits: string) => ({
    'sec-ch-ua-arch': `"${architecture}"`,
    'sec-ch-ua-bitness': `"${bits}"`,
  })
  for (const [headers, details] of [
    [{ 'user-agent': android }, {}],
    [{ 'user-agent': android, 'sec-ch-ua-platform-version': '"14.0.0"' }, { androidVersion: '14.0.0' }],
    [{ 'user-agent': android, 'sec-ch-ua-platform-version': '""' }, {}],
    [{ 'user-agent': 'Mozilla/5.0 (Linux; Android 8.1.0; SM-J330F)' }, { androidVersion: '8.1.0' }],
    [{ 'user-agent': windows }, { architecture: 'x64' }],
    // Windows on ARM reports x64 in its user agent.
    [{ 'user-agent': windows, ...hints('arm', '64') }, { architecture: 'arm64v8' }],
    [{ 'user-agent': mac }, {}],
    [{ 'user-agent': mac, ...hints('arm', '64') }, { architecture: 'arm64v8' }],
    [{ 'user-agent': mac, ...hints('x86', '64') }, { architecture: 'x64' }],
    [{ 'user-agent': mac, ...hints('x'.repeat(100), '<') }, {}],
    [{ 'user-agent': 'Mozilla/5.0 (X11; Linux aarch64; rv:143.0)' }, { architecture: 'arm64v8' }],
    [{}, {}],
  ] as const)
    assert.deepEqual(
      deviceDetailsOf(headers['user-agent'] ?? null, clientHintsOf(headers)),
      details,
      JSON.stringify(headers),
    )
})
