import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkLayers, drawFeatures } from './check-layers.ts'

const file = (path: string, text: string) => ({ path: `packages/server/src/features/${path}`, text })

test('reports an import cycle between features even if one import is type-only', () => {
  const findings = checkLayers([
    file('builds/build.db.ts', `import { findStream } from '../streams/stream.db.ts'`),
    file('streams/stream.db.ts', ''),
    file('streams/stream.ts', `\nimport type { Portal } from '../portals/portal.ts'`),
    file('portals/portal.ts', `import { Build } from '../builds/build.ts'`),
  ])
  assert.deepEqual(
    findings.map(({ message }) => message),
    [
      'import cycle between features: builds → streams → portals → builds. Remove one of: features/builds/build.db.ts:1 imports ' +
        'features/streams/stream.db.ts; features/streams/stream.ts:2 imports features/portals/portal.ts; ' +
        'features/portals/portal.ts:1 imports features/builds/build.ts',
    ],
  )
})

test('reports every import cycle between features', () => {
  const findings = checkLayers([
    file('builds/build.ts', `import { stream } from '../streams/stream.ts'`),
    file('streams/stream.ts', `import { build } from '../builds/build.ts'`),
    file('mails/mail.ts', `import { welcome } from '../members/welcome.job.ts'`),
    file('members/member.ts', `export type Mail = import('../mails/mail.ts').Mail`),
  ])
  assert.equal(findings.length, 2)
})

test('reports an import cycle between files of one feature even if one import is type-only', () => {
  const findings = checkLayers([
    file('builds/build.db.ts', `import { buildResource } from './build.ts'`),
    file('builds/build.ts', `import type { BuildRow } from './build.db.ts'`),
  ])
  assert.match(
    findings[0]?.message ?? '',
    /^import cycle between files: features\/builds\/build\.db\.ts → features\/builds\/build\.ts → features\/builds\/build\.db\.ts/,
  )
  assert.equal(findings.length, 1)
})

test('reports an import cycle between the screens of features of the console', () => {
  const screen = (path: string, text: string) => ({ path: `packages/web/src/features/${path}`, text })
  const queries = `import { x } from '../streams/stream.queries.ts'`
  const builds = screen('builds/build.tsx', `${queries}\nimport { y } from '../streams/stream.tsx'`)
  const streamQueries = screen('streams/stream.queries.ts', '')
  // Queries are below screens, and pages load sections of other features when they need them.
  const streams = screen('streams/stream.tsx', `const later = () => import('../builds/build.tsx')`)
  assert.deepEqual(checkLayers([builds, streamQueries, streams]), [])
  const back = screen('streams/stream.tsx', `import { z } from '../builds/build.tsx'`)
  assert.match(
    checkLayers([builds, streamQueries, back])[0]?.message ?? '',
    /^import cycle between features: console\/builds → console\/streams → console\/builds\./,
  )
})

test('allows acyclic imports and import cycles that include a test file', () => {
  const findings = checkLayers([
    file(
      'uploads/upload.ts',
      `import { a } from '../builds/build.ts'\nimport { b } from '../streams/stream.ts'`,
    ),
    file('builds/build.ts', `import { b } from '../streams/stream.ts'\nimport { c } from './build.db.ts'`),
    file('builds/build.db.ts', ''),
    file('streams/stream.ts', ''),
    file('streams/stream.test.ts', `import { a } from '../builds/build.ts'`),
  ])
  assert.deepEqual(findings, [])
})

test('draws features without imports and omits edges that longer paths imply', () => {
  const drawing = drawFeatures([
    file(
      'uploads/upload.ts',
      `import { a } from '../builds/build.ts'\nimport { b } from '../streams/stream.ts'`,
    ),
    file('builds/build.ts', `import { b } from '../streams/stream.ts'`),
    file('streams/stream.ts', ''),
    file('mails/mail.ts', ''),
  ])
  assert.equal(drawing, 'flowchart TB\n  builds --> streams\n  uploads --> builds\n  mails')
})
