import { plural } from '../../ui/format/bytes.ts'

/** The sentences about provisioning with SCIM. */
export const scimText = {
  section: 'Your identity provider adds, updates and deactivates workspace members and teams with SCIM 2.0.',
  none: 'Create a token and enter it with the base URL at Microsoft Entra ID, Okta or another identity provider.',
  noneForAdmins: 'An owner can create a token to connect an identity provider.',
  ownersOnly: 'Only owners can replace or revoke the token.',
  baseUrl: 'Enter this URL and the token at your identity provider.',
  managed: (count: number) => `${plural(count, 'person', 'people')} managed`,
  neverUsed: 'never used',
  shownOnce: 'Copy the token now. It is not shown again.',
  replaceTitle: 'Replace the SCIM token?',
  replace: 'The current token stops working immediately. Enter the new one at your identity provider.',
  revokeTitle: 'Revoke the SCIM token?',
  revoke:
    'Your identity provider can no longer change members and teams. Members, teams and deactivated people stay as they are.',
}
