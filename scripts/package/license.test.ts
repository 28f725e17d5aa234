import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { readLicense, type License } from './license.ts'

const mit = `Copyright (c) 2011 Someone <someone@example.com>

Permission is hereby granted, free of charge, to any person obtaining
a copy of this software …

The above copyright notice and this permission notice shall be
included in all copies or substantial portions of the Software.`

const isc = `Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby
granted, provided that the above copyright notice and this permission notice appear in all copies.`

const bsd = `Redistribution and use in source and binary forms, with or without modification, are permitted provided
that the following conditions are met: …`

/** Returns the license of a package with these files. */
async function licenseOf(
  t: TestContext,
  manifest: object,
  files: Record<string, string> = {},
): Promise<License> {
  const folder = await mkdtemp(join(tmpdir(), 'quayside-license-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries({ 'package.json': JSON.stringify(manifest), ...files }))
    await writeFile(join(folder, name), content)
  return readLicense(folder)
}

test('reads the license from the current and the older forms of package.json', async (t) => {
  for (const [manifest, expected] of [
    [{ license: 'Apache-2.0' }, 'Apache-2.0'],
    [{ license: '(MIT OR Apache-2.0)' }, '(MIT OR Apache-2.0)'],
    [{ license: { type: 'ISC', url: 'https://example.com/license' } }, 'ISC'],
    [{ licenses: [{ type: 'MIT', url: 'https://example.com/license' }] }, 'MIT'],
    [{ licenses: [{ type: 'MIT' }, 'Apache-2.0'] }, '(MIT OR Apache-2.0)'],
    [{ licenses: 'BSD-3-Clause' }, 'BSD-3-Clause'],
  ] as const)
    assert.deepEqual(await licenseOf(t, manifest), { name: expected, text: '' })
})

test('returns the text of every license file', async (t) => {
  const files = { 'LICENSE-MIT': `${mit}\n`, 'LICENCE.md': 'Other\n', 'license.js': 'export {}\n' }
  const { name, text } = await licenseOf(t, { license: 'Zlib' }, files)
  assert.deepEqual([name, text], ['Zlib', `Other\n\n${mit}`])
})

test('recognizes the license file of a package whose package.json names no license', async (t) => {
  for (const [text, expected] of [
    [mit, 'MIT'],
    [isc, 'ISC'],
    [bsd, 'BSD-2-Clause'],
    [`${bsd} Neither the name of Someone may be used to endorse or promote products.`, 'BSD-3-Clause'],
  ] as const) {
    assert.equal((await licenseOf(t, {}, { LICENSE: text })).name, expected)
    const manifest = { license: 'SEE LICENSE IN LICENSE.txt' }
    assert.equal((await licenseOf(t, manifest, { 'LICENSE.txt': text })).name, expected)
  }
})

test('rejects a package without a license, or with a text that it does not recognize', async (t) => {
  const message = /quayside-license-\w+ names no license$/
  await assert.rejects(licenseOf(t, {}), message)
  await assert.rejects(licenseOf(t, { license: '', licenses: [] }), message)
  await assert.rejects(licenseOf(t, {}, { LICENSE: 'All rights reserved.' }), message)
  await assert.rejects(licenseOf(t, {}, { LICENSE: `${mit}\n\n${isc}` }), message)
  await assert.rejects(licenseOf(t, {}, { LICENSE: mit + ' Text'.repeat(500) }), message)
})
