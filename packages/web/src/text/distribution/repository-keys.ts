import type { RepositoryKey } from '@quayside/sdk'

type KeyKind = RepositoryKey['kind']

export const repositoryKeyText = {
  section: 'Sign the indexes of package repositories, so that clients reject changes by others.',
  none: 'The first request to a repository creates a key.',
  kind: 'Repositories',
  kinds: { openpgp: 'apt, dnf, zypper and pacman', x509: 'F-Droid' } satisfies Record<KeyKind, string>,
  current: 'Current',
  retired: 'Replaced',
  imported: 'Uploaded by the team',
  created: 'Created by the service',
  replace: 'Replace key',
  replaceHints: {
    openpgp:
      'Both keys sign the indexes until the previous one ends. Users fetch key.asc of the repository again before then.',
    x509: 'F-Droid rejects the repositories at once. Users must remove each repository and add it again with its new link.',
  } satisfies Record<KeyKind, string>,
  ownKey: 'Private key of the team',
  ownKeyHints: {
    openpgp:
      'Armored OpenPGP key without a passphrase and expiration time, as gpg --armor --export-secret-keys prints it. Leave empty to create an Ed25519 key.',
    x509: 'RSA key of at least 2,048 bits without a passphrase, followed by its certificate, in PEM format. Leave empty to create both.',
  } satisfies Record<KeyKind, string>,
  ownKeyStarts: {
    openpgp: '-----BEGIN PGP PRIVATE KEY BLOCK-----',
    x509: '-----BEGIN PRIVATE KEY-----',
  } satisfies Record<KeyKind, string>,
  overlap: 'Sign with the previous key for',
  overlapHint:
    'Select "Not at all" if the previous key was disclosed. Package managers reject the repositories until users have fetched the new key.',
  overlapOptions: [
    { value: '90', label: '90 days' },
    { value: '30', label: '30 days' },
    { value: '365', label: '1 year' },
    { value: '0', label: 'Not at all' },
  ],
  delete: 'Delete previous key',
  deleteTitle: 'Delete the previous key?',
  deleteHint:
    'Indexes are signed with the current key only. Package managers that have not fetched it reject the repositories.',
} as const
