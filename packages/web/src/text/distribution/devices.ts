import { plural } from '../../ui/format/bytes.ts'

export const deviceText = {
  facts: 'iPhones, iPads and other devices of your testers',
  explanation:
    'Devices appear here when testers register them on the page of a build. Add them to your provisioning profile so that the next build includes them.',
  noMatch: 'No device has this text in its name, UDID or product.',
  udidHint: 'Finder on a Mac and Apple Configurator show it.',
  sources: {
    api: 'Added with an API key',
    console: 'Added in the console',
    'share-link': 'Registered through a share link',
    'distribution-group': 'Registered through a group link',
    portal: 'Registered through a portal',
  },
  exported: (count: number) => `${plural(count, 'device')} exported for the Apple Developer portal.`,
  coverage: (included: number, registered: number) =>
    `${included} of ${plural(registered, 'registered device')} can install this build`,
  enterUdid: 'Enter 40 hexadecimal digits, or 8 and 16 digits with a hyphen between them.',
  deletion: 'The device is removed from this list. Provisioning profiles that include it do not change.',
}
