/** What is risky about a build compared with an earlier one. Apart from `build.ts`, which Home loads. */
export const riskText = {
  packageName: 'The package name differs: Android installs it as another app.',
  certificate: 'It is signed with another certificate: Android refuses it as an update.',
  versionCode: (before: string | number | null, after: string | number | null) =>
    `The version code is lower (${after} after ${before}): Android refuses it as an update.`,
  debuggable: 'It is debuggable, and the earlier build is not.',
  minimumAndroid: (minimum: string | null) => `It drops devices with Android older than ${minimum}.`,
  bundleId: 'The bundle identifier differs: iOS installs it as another app.',
  team: 'It is signed by another team: iOS refuses it as an update.',
  profileKind: 'Its profile allows another kind of distribution.',
  profileDevices: 'Its profile contains fewer devices.',
  minimumIos: (minimum: string | null) => `Its minimum is now iOS ${minimum}.`,
  invalidSignature: 'Its signature does not match its content.',
  unsigned: 'It is no longer signed.',
  signer: (signer: string | null | undefined) => `It is signed by another signer: ${signer}.`,
  permissions: (names: readonly string[]) => `It requests new sensitive permissions: ${names.join(', ')}.`,
  architectures: (names: readonly string[]) => `It no longer contains ${names.join(', ')}.`,
  larger: (size: string) => `It is ${size}.`,
} as const
