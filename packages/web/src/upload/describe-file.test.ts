import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeFile, platformIn } from './describe-file.ts'

test('reads version and build number from the file name', async () => {
  const table: [filename: string, version: string, buildNumber: string][] = [
    ['app-1.2.3.4.zip', '1.2.3', '4'],
    ['app-1.2.3-rc.1.zip', '1.2.3-rc.1', ''],
    ['app.zip', '', ''],
  ]
  for (const [filename, version, buildNumber] of table) {
    const described = await describeFile({ file: new File(['bytes'], filename), handle: null })
    assert.deepEqual([described.version, described.buildNumber], [version, buildNumber], filename)
    assert.equal(platformIn(described, ['generic']), 'generic')
  }
})
