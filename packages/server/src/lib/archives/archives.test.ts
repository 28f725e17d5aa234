import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { tarGz } from './tar.ts'
import { zipArchive } from './zip.ts'

const folder = mkdtempSync(join(tmpdir(), 'quayside-archives-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const modifiedAt = new Date('2026-02-03T04:05:06Z')
const entries = [
  { path: 'app-1/bin/app', content: randomBytes(100_000), mode: 0o755 },
  { path: 'app-1/share/empty', content: Buffer.alloc(0), mode: 0o644 },
  { path: 'app-1/share/block', content: Buffer.alloc(1024, 'b'), mode: 0o644 },
]
const formats = [
  { name: 'tar', create: tarGz, extract: ['tar', '-xzf'] },
  { name: 'ZIP', create: zipArchive, extract: ['unzip', '-q'] },
]

for (const {
  name,
  create,
  extract: [program = '', ...args],
} of formats)
  describe(`a ${name} archive`, () => {
    test('contains every file with its permissions and time', () => {
      const target = join(folder, name)
      mkdirSync(target)
      writeFileSync(join(target, 'archive'), create(entries, modifiedAt))
      execFileSync(program, [...args, 'archive'], { cwd: target, env: { ...process.env, TZ: 'UTC' } })
      for (const { path, content, mode } of entries) {
        const file = join(target, path)
        assert.deepEqual(readFileSync(file), content)
        assert.equal(statSync(file).mode & 0o777, mode)
        assert.deepEqual(statSync(file).mtime, modifiedAt)
      }
    })

    test('has the same bytes each time', () => {
      assert.deepEqual(create(entries, modifiedAt), create(entries, modifiedAt))
    })
  })
