export const repositoryKeyText = {
  section:
    'Sign the indexes of package repositories for apt, dnf and zypper, so that package managers reject changes by others.',
  none: 'The first request to a repository creates a key.',
  current: 'Current',
  retired: 'Replaced',
  imported: 'Uploaded by the team',
  created: 'Created by the service',
  replace: 'Replace key',
  replaceHint:
    'Both keys sign the indexes until the previous one ends. Users fetch key.asc of the repository again before then.',
  ownKey: 'Private key of the team',
  ownKeyHint:
    'Armored OpenPGP key without a passphrase and expiration time, as gpg --armor --export-secret-keys prints it. Leave empty to create an Ed25519 key.',
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
