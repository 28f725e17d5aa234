import type { SecretBox } from '../../../crypto/secret-box.ts'

/**
 * Returns a keyed hash of a device identifier (UDID) in a workspace. Identifiers are short and follow a known pattern, so
 * a hash without a secret could be reversed by trying them, and equal hashes would connect the devices of several
 * workspaces. Letter case and hyphens do not matter, because tools write them differently.
 */
export const deviceHash = (
  secretBox: Pick<SecretBox, 'token'>,
  workspaceId: string,
  device: string,
): string =>
  secretBox.token(
    'device identifiers v1',
    `${workspaceId} ${device.toLowerCase().replaceAll(/[^0-9a-z]/g, '')}`,
  )
