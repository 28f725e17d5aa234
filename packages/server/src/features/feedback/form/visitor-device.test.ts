import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeDevice } from './visitor-device.ts'

const chrome = (platform: string) =>
  `Mozilla/5.0 (${platform}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36`
const safari = (platform: string, version: string) =>
  `Mozilla/5.0 (${platform}) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version} Mobile/15E148 Safari/604.1`

for (const [userAgent, hints, device, os] of [
  [
    chrome('Linux; Android 10; K'),
    { model: '"Pixel 8"', platformVersion: '"16.0.0"' },
    'Pixel 8',
    'Android 16',
  ],
  [chrome('Linux; Android 10; K'), {}, null, 'Android'],
  [chrome('Linux; Android 14; SM-S918B Build/UP1A.231005.007'), {}, 'SM-S918B', 'Android 14'],
  ['Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0', {}, null, 'Android 15'],
  [safari('iPhone; CPU iPhone OS 17_5_1 like Mac OS X', '17.5'), {}, 'iPhone', 'iOS 17.5'],
  [safari('iPhone; CPU iPhone OS 18_6 like Mac OS X', '26.1'), {}, 'iPhone', 'iOS 26.1'],
  [safari('iPad; CPU OS 16_2 like Mac OS X', '16.2'), {}, 'iPad', 'iPadOS 16.2'],
  [chrome('Windows NT 10.0; Win64; x64'), { platformVersion: '"15.0.0"' }, null, 'Windows 11'],
  [chrome('Windows NT 10.0; Win64; x64'), { platformVersion: '"10.0.0"' }, null, 'Windows 10'],
  [chrome('Windows NT 10.0; Win64; x64'), {}, null, 'Windows'],
  [chrome('Macintosh; Intel Mac OS X 10_15_7'), { platformVersion: '"26.0.1"' }, 'Mac', 'macOS 26'],
  [chrome('X11; CrOS x86_64 14541.0.0'), {}, null, 'ChromeOS'],
  [chrome('X11; Linux x86_64'), {}, null, 'Linux'],
  ['curl/8.5.0', {}, null, null],
  [null, {}, null, null],
] as const)
  test(`describes the device of ${userAgent} ${JSON.stringify(hints)}`, () => {
    assert.deepEqual(describeDevice(userAgent, hints), { device, os })
  })

test('removes markup and limits the length of what the browser claims', () => {
  const { device } = describeDevice(chrome('Linux; Android 10; K'), {
    model: `"<script>alert(1)</script>${'x'.repeat(500)}"`,
  })
  assert.match(device ?? '', /^scriptalert\(1\)\/scriptx{1,80}$/)
  assert.ok((device ?? '').length <= 80)
})
