/** What the pages say about the registration of iPhones and iPads. `device` is `iPhone` or `iPad`. */
export const englishDevices = {
  title: (device: string) => `Register this ${device}`,
  titleElsewhere: 'Register an iPhone or iPad',
  purpose:
    'The team adds the device to its list and makes a build that includes it. A small profile reads the identifier of the device (UDID), and iOS removes the profile at once.',
  steps: [
    'Load the profile, and tap Allow.',
    'Open Settings, and tap Profile Downloaded at the top.',
    'Tap Install. Safari then returns to this page.',
  ],
  loadProfile: 'Load the profile',
  privacy: 'The team receives the identifier, the model and the version of iOS, and nothing else.',
  insecure: 'iOS opens profiles only from servers with HTTPS. You can enter the identifier instead.',
  otherBrowser: 'Only Safari opens the profile. You can also enter the identifier instead.',
  enter: 'Enter the identifier instead',
  whereToFind:
    'On a Mac, select the device in Finder, and click the line below its name until it shows the UDID.',
  udid: 'Identifier (UDID)',
  invalid: 'Enter 40 hexadecimal digits, or 8 and 16 digits with a hyphen between them.',
  submit: 'Register',
  registered: (device: string) => `This ${device} is registered`,
  registeredElsewhere: 'The device is registered',
  waiting: 'The team now sees it in its list. Open the page again when there is a build that includes it.',
  included: 'This build already includes it, so you can install the app.',
  install: 'Go to the app',
  back: 'Back to the app',
  profileTitle: (workspace: string) => `Register with ${workspace}`,
  profileDescription: 'Sends the identifier, model and version of this device once.',
  notFound: {
    title: 'This link does not work',
    text: 'Open the page of the download again, and register the device from there.',
  },
}
