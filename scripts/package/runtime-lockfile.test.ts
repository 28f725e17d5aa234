import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runtimeLockfile } from './runtime-lockfile.ts'

const lockfile = (packages: Parameters<typeof runtimeLockfile>[0]['packages']) =>
  ({ name: 'root', version: '1.0.0', lockfileVersion: 3, packages }) as const

const server = { name: '@example/server', version: '1.0.0', license: 'MIT' }

test('contains what a workspace needs at runtime, where npm installs it without the other workspaces', () => {
  const { packages } = runtimeLockfile(
    lockfile({
      '': { name: 'root', version: '1.0.0' },
      'packages/server': {
        ...server,
        dependencies: { '@example/base': '1.0.0', a: '^1.0.0', b: '^2.0.0' },
        devDependencies: { test: '1.0.0' },
        peerDependencies: { traces: '1.0.0' },
        peerDependenciesMeta: { traces: { optional: true } },
      },
      'packages/server/node_modules/b': { version: '2.0.0', peerDependencies: { c: '*' } },
      'node_modules/@example/base': { link: true, resolved: 'packages/base' },
      'packages/base': {
        version: '1.0.0',
        dependencies: { a: '^1.0.0' },
        devDependencies: { test: '1.0.0' },
        optionalDependencies: { 'native-mac': '1.0.0', 'native-other': '1.0.0' },
      },
      'node_modules/a': { version: '1.2.3', dependencies: { c: '^3.0.0' } },
      'node_modules/a/node_modules/c': { version: '3.0.0' },
      'node_modules/c': { version: '4.0.0' },
      'node_modules/native-mac': { version: '1.0.0' },
      'node_modules/test': { version: '1.0.0' },
      'node_modules/traces': { version: '1.0.0' },
    }),
    'packages/server',
  )
  assert.deepEqual(Object.entries(packages), [
    [
      '',
      {
        ...server,
        dependencies: { '@example/base': '1.0.0', a: '^1.0.0', b: '^2.0.0' },
        peerDependencies: { traces: '1.0.0' },
        peerDependenciesMeta: { traces: { optional: true } },
      },
    ],
    [
      'node_modules/@example/base',
      {
        version: '1.0.0',
        dependencies: { a: '^1.0.0' },
        optionalDependencies: { 'native-mac': '1.0.0', 'native-other': '1.0.0' },
      },
    ],
    ['node_modules/a', { version: '1.2.3', dependencies: { c: '^3.0.0' } }],
    ['node_modules/a/node_modules/c', { version: '3.0.0' }],
    ['node_modules/b', { version: '2.0.0', peerDependencies: { c: '*' } }],
    ['node_modules/c', { version: '4.0.0' }],
    ['node_modules/native-mac', { version: '1.0.0' }],
  ])
})

test('rejects a lockfile with two versions for one folder, or without a dependency', () => {
  const own = { ...server, dependencies: { a: '1', b: '1' } }
  const packages = {
    'packages/server': own,
    'packages/server/node_modules/a': { version: '2.0.0' },
    'node_modules/a': { version: '1.0.0' },
    'node_modules/b': { version: '1.0.0', dependencies: { a: '1' } },
  }
  assert.throws(() => runtimeLockfile(lockfile(packages), 'packages/server'), {
    message: 'node_modules/a would have the versions 2.0.0 and 1.0.0',
  })
  assert.throws(() => runtimeLockfile(lockfile({ 'packages/server': own }), 'packages/server'), {
    message: 'the lockfile lacks a, which packages/server requires',
  })
})
