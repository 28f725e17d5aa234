/** What the pages say about installations on iPhones and iPads. `device` is `iPhone` or `iPad`. */
export const englishIos = {
  install: 'Install',
  included: (device: string) => `Made for this ${device}`,
  limited: 'Only registered devices can install this app.',
  check: (device: string) => `Check this ${device}`,
  register: (device: string) => `Register this ${device}`,
  registerShort: 'Register',
  howToInstall: 'How to install',
  copyLink: 'Copy this link, and open it in Safari:',
  notIncluded: {
    title: (device: string) => `This ${device} is not included yet`,
    text: 'The app was made for a list of devices, and this one is not on it. Register it, so that the team can make a build that includes it.',
  },
  processing: {
    title: 'This build is being prepared',
    text: 'The server is still reading the file. Reload the page in a minute.',
  },
  insecure: {
    title: 'This page is not secure',
    text: 'iOS installs apps only from servers with HTTPS. Ask the person who shared this page to set up HTTPS.',
  },
  storeOnly: {
    title: 'Only for the App Store',
    text: 'This app is signed for the App Store and cannot be installed from a page. Ask the person who shared it for an ad hoc build, or use TestFlight.',
  },
  noProfile: {
    title: 'This file cannot be installed',
    text: 'It has no provisioning profile, without which iOS installs no app. Ask the person who shared it for a signed build.',
  },
  otherBrowser: {
    title: 'Open this page in Safari',
    text: 'This browser cannot install apps. Only Safari can.',
  },
  expired: {
    title: 'This build has expired',
    text: (date: string) =>
      `Its provisioning profile was valid until ${date}, so iOS no longer installs or starts it. Ask the person who shared it for a new build.`,
  },
  tooOld: {
    title: (minimum: string) => `Requires iOS ${minimum}`,
    text: (device: string, current: string) =>
      `This ${device} has iOS ${current}. Update it in Settings under General, Software Update, and then open this page again.`,
  },
  steps: {
    general: [
      'Tap Install, and confirm the question.',
      'Go to the Home Screen, where the app appears and shows its progress.',
    ],
    enterprise: [
      'In Settings, choose General, then VPN & Device Management, then the developer, and trust it.',
      'On iOS 18 or newer, restart the device when it asks, which completes the trust.',
    ],
    development: [
      'On iOS 16 or newer, turn on Developer Mode in Settings under Privacy & Security. The device restarts.',
    ],
  },
  onIpad: 'On an iPad? Show how to install',
}
