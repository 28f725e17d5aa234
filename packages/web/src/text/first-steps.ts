/** The sentences about the first steps of a workspace and its sample application. */
export const firstStepsText = {
  details: {
    first_build: 'Drop a file, or use CI or the command line.',
    phone: 'Scan a QR code and sign in.',
    api_key: 'Create a key with which CI uploads builds.',
    invitation: 'Builds are made for a team.',
    share_link: 'Anyone with the link can install the build.',
  },
  needsBuild: 'Upload a build first.',
  hidden: 'First steps hidden.',
  phone: 'Point the camera of your phone at the code, then sign in.',
  waiting: 'Waiting for your phone…',
  connected: 'A phone has opened Quayside.',
  scan: 'Point the camera of your phone at the code. You sign in once.',
  scanLink: 'Create a share link for phones without an account.',
  cardHidden: 'QR code hidden.',
} as const

export const sampleText = {
  explore: 'Nothing to upload yet? Look around with example builds, and delete them with one click.',
  banner: 'This is a sample application. Its files are examples and cannot be installed.',
  created: 'Sample application created.',
  deleted: 'Sample application deleted.',
} as const
