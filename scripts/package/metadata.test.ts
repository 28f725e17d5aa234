import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

type Metadata = Record<string, unknown> & { version: string; dependencies?: Record<string, string> }

const root = join(import.meta.dirname, '../..')
const read = (folder: string) =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Metadata
const { homepage, bugs, repository, license, author, version } = read('.')

for (const name of ['cli', 'embedded-postgres', 'sdk', 'server'])
  test(`@quayside/${name} names its source, license and requirements`, () => {
    const folder = `packages/${name}`
    const metadata = read(folder)
    const { description, keywords, engines, exports, files, ...rest } = metadata
    assert.deepEqual(
      [rest['name'], rest['private'], rest.version, rest['license'], rest['author'], rest['bugs']],
      [`@quayside/${name}`, undefined, version, license, author, bugs],
    )
    assert.deepEqual(rest['repository'], { ...(repository as object), directory: folder })
    assert.equal(rest['homepage'], String(homepage).replace('#', `/tree/main/${folder}#`))
    assert.deepEqual(rest['publishConfig'], { access: 'public', provenance: true })
    for (const field of [description, keywords, engines, exports, files]) assert.ok(field, folder)
    // Packages of one release work together.
    for (const [dependency, range] of Object.entries(metadata.dependencies ?? {}))
      if (dependency.startsWith('@quayside/')) assert.equal(range, version)
  })
