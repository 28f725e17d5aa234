export const apiKeyText = {
  ofWorkspace:
    'Keys for scripts and CI that work with every application. Prefer an application key or a trusted publisher where that is enough.',
  ofApplication:
    'Keys for scripts and CI that can access only this application. With a trusted publisher, CI needs no stored key.',
  none: 'API keys let scripts and CI use the API and the command line. You choose what a key can do and when it expires.',
  noneValid: 'Every key has expired or has been revoked.',
  shownOnce: 'Copy the key now. The server stores only its hash and cannot show it again.',
  secretName: 'Store the key as a secret named QUAYSIDE_API_KEY.',
  revoke: 'Requests with this key fail within one second. A revoked key cannot be restored.',
  revokeDescendants: 'Also revoke the keys and trusted publishers it created',
  enterName: 'Enter a name that says where the key is used.',
}
