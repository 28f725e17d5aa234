import assert from 'node:assert/strict'
import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { detectPlatform } from './detect-platform.ts'

async function detect(filename: string, attached: string[]): Promise<string> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'quayside-'))
  const path = join(folder.path, filename)
  writeFileSync(path, 'PK\u0003\u0004')
  await using handle = await open(path)
  return await detectPlatform({ filename, handle }, attached)
}

test('chooses the platform by the name and the first bytes of a file', async () => {
  assert.equal(await detect('app.apk', ['alpine', 'android']), 'android')
})

test("suggests adding a platform when none of the application's platforms accepts the file", async () => {
  await assert.rejects(detect('app.apk', ['generic', 'ios']), /generic, ios.*quayside platforms add android/)
})

test('requires --platform when an archive matches two platforms equally well', async () => {
  await assert.rejects(detect('app.zip', ['windows', 'macos']), /windows, macos.*--platform/)
})
