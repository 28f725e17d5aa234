import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseRepository, hostSlug } from './repository.ts'

test('converts clone URLs to web URLs without credentials', () => {
  const table: Record<string, ReturnType<typeof parseRepository>> = {
    'https://github.com/acme/app.git': {
      url: 'https://github.com/acme/app',
      name: 'acme/app',
      host: 'github',
    },
    'git@github.com:acme/app.git': {
      url: 'https://github.com/acme/app',
      name: 'acme/app',
      host: 'github',
    },
    'ssh://git@gitlab.com:22/acme/sub/app.git': {
      url: 'https://gitlab.com/acme/sub/app',
      name: 'acme/sub/app',
      host: 'gitlab',
    },
    'https://user:p%40ss@git.example.com:8443/acme/app': {
      url: 'https://git.example.com:8443/acme/app',
      name: 'acme/app',
    },
    'git@ssh.dev.azure.com:v3/acme/project/app': {
      url: 'https://dev.azure.com/acme/project/_git/app',
      name: 'app',
      host: 'azure-repos',
    },
    'http://gitea.local:3000/acme/app.git': {
      url: 'http://gitea.local:3000/acme/app',
      name: 'acme/app',
      host: 'gitea',
    },
    '/srv/git/app.git': {},
    'file:///srv/git/app.git': {},
    'C:\\git\\app': {},
    '': {},
  }
  for (const [address, expected] of Object.entries(table))
    assert.deepEqual(parseRepository(address), expected, address)
})

test('identifies the hosting service from the host name', () => {
  const table: [string, string | undefined][] = [
    ['codeberg.org', 'codeberg'],
    ['git.sr.ht', 'sourcehut'],
    ['acme.visualstudio.com', 'azure-repos'],
    ['gitlab.example.com', 'gitlab-self'],
    ['git-codecommit.eu-west-1.amazonaws.com', 'aws-codecommit'],
    ['forgejo.example.com', 'forgejo'],
    ['git.example.com', undefined],
  ]
  for (const [name, expected] of table) assert.equal(hostSlug(name), expected, name)
})
