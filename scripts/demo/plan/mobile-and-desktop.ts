import type { ApplicationPlan } from './application-plan.ts'

export const wayfern: ApplicationPlan = {
  slug: 'wayfern',
  name: 'Wayfern',
  description: 'Hiking maps that work without a signal. Android and iOS.',
  packageName: 'example.brindle.wayfern',
  platforms: [
    {
      platform: 'android',
      ending: '.apk',
      kind: 'apk',
      architectures: ['arm64v8', 'x64'],
      sizeKb: [520, 1100],
    },
    { platform: 'ios', ending: '.ipa', kind: 'ipa', architectures: ['arm64v8'], sizeKb: [640, 1300] },
  ],
  ci: 'ghactions',
  repository: 'wayfern',
  lead: 'priya',
  team: { priya: 'admin', yuki: 'developer', mateo: 'developer', leilani: 'qa', freya: 'readonly' },
  nightly: { platforms: 2, everyDays: 2 },
  labels: [
    { name: 'field-tested', color: '#2f9e77', description: 'Used on a real trail for at least a day.' },
    { name: 'crash-on-start', color: '#d64545', description: 'Do not hand out.' },
  ],
  targets: [
    {
      name: 'Ranger tablet',
      platform: 'android',
      description: 'Rugged tablets of the park rangers, locked to Wayfern.',
    },
    { name: 'Store beta', platform: 'ios', description: 'Signed like the beta in the store.' },
  ],
  permissions: [
    'INTERNET',
    'ACCESS_FINE_LOCATION',
    'ACCESS_COARSE_LOCATION',
    'FOREGROUND_SERVICE',
    'CAMERA',
    'VIBRATE',
  ],
  features: [
    {
      branch: 'feature/offline-contours',
      commits: [
        'Render contour lines from cached tiles',
        'Drop tiles that no route uses',
        'Show the download size before saving a region',
      ],
    },
    {
      branch: 'feature/shared-routes',
      commits: ['Import GPX files from the share sheet', 'Merge waypoints that are closer than 10 m'],
    },
    {
      branch: 'fix/compass-drift',
      commits: ['Calibrate the compass after a magnetic anomaly', 'Smooth headings below walking speed'],
    },
    {
      branch: 'feature/group-hikes',
      commits: ['Show the positions of everyone in a group', 'Stop sharing at the end of the hike'],
    },
    { branch: 'chore/sqlite-wal', commits: ['Move the tile index to write-ahead logging'] },
  ],
  trains: [
    {
      version: [4, 2],
      title: 'Offline contours',
      added: ['Contour lines without a signal', 'Download size of a region before you save it'],
      fixed: ['The compass no longer jumps near power lines'],
    },
    {
      version: [4, 3],
      title: 'Routes from anywhere',
      added: ['Open GPX files from mail and messages'],
      fixed: ['Elevation profiles of loops', 'Battery use while recording overnight'],
    },
    {
      version: [4, 4],
      title: 'Winter maps',
      added: ['Avalanche slopes above 30°', 'Ski and snowshoe routes'],
      fixed: ['Blank tiles above 2,500 m'],
    },
    {
      version: [4, 5],
      title: 'Faster start',
      added: ['The last map opens in under a second'],
      fixed: ['Waypoints that were saved twice'],
    },
    {
      version: [5, 0],
      title: 'Group hikes',
      added: ['See where your group is', 'Meeting points'],
      fixed: ['Position sharing ends with the hike'],
    },
    {
      version: [5, 1],
      title: 'Trail reports',
      added: ['Photos in trail reports', 'Reports are sent once there is a signal'],
      fixed: ['Crash when the camera permission was denied'],
    },
    {
      version: [5, 2],
      title: 'Maps on the wrist',
      added: ['The next turn on your watch'],
      fixed: ['Voice directions in tunnels'],
    },
  ],
}

export const marginalia: ApplicationPlan = {
  slug: 'marginalia',
  name: 'Marginalia',
  description: 'Reads, annotates and compares manuscripts on macOS, Windows and Linux.',
  packageName: 'marginalia',
  platforms: [
    {
      platform: 'macos',
      ending: '-universal.dmg',
      kind: 'image',
      architectures: ['u2b'],
      sizeKb: [900, 2200],
    },
    {
      platform: 'windows',
      ending: '-x64-setup.exe',
      kind: 'exe',
      plainEnding: '-windows-x64.7z',
      architectures: ['x64'],
      sizeKb: [800, 1800],
    },
    {
      platform: 'debian',
      ending: '_amd64.deb',
      kind: 'deb',
      plainEnding: '-debian-x64.tar.gz',
      architectures: ['x64'],
      sizeKb: [500, 1200],
    },
    {
      platform: 'linux',
      ending: '-linux-x64.tar.gz',
      kind: 'tar',
      architectures: ['x64'],
      sizeKb: [600, 1400],
    },
  ],
  ci: 'gitlab-ci',
  repository: 'desktop/marginalia',
  lead: 'tomasz',
  team: { tomasz: 'admin', aoife: 'developer', ngocAnh: 'developer', samir: 'qa', freya: 'qa' },
  nightly: { platforms: 2, everyDays: 2 },
  labels: [
    { name: 'notarized', color: '#6457d6', description: 'Notarized and stapled.' },
    { name: 'print-proofed', color: '#c77d1e', description: 'Checked against printed pages.' },
  ],
  targets: [{ name: 'Reading room', platform: 'linux', description: 'Shared machines without a network.' }],
  features: [
    {
      branch: 'feature/compare-drafts',
      commits: ['Align paragraphs of two drafts', 'Color moved sentences', 'Export a comparison as PDF'],
    },
    { branch: 'feature/dark-pages', commits: ['Invert scans but not photographs'] },
    {
      branch: 'fix/print-margins',
      commits: ['Respect the printable area of A4 and Letter', 'Scale notes together with their page'],
    },
    {
      branch: 'feature/footnote-index',
      commits: ['Collect footnotes in an index', 'Link notes to the page that they cite'],
    },
  ],
  trains: [
    {
      version: [2, 8],
      title: 'Compare drafts',
      added: ['Compare two drafts side by side', 'Export the comparison as PDF'],
      fixed: ['Ligatures in search results'],
    },
    {
      version: [2, 9],
      title: 'Dark pages',
      added: ['Dark pages that keep photographs as they are'],
      fixed: ['Notes were cut off when printing on A4'],
    },
    {
      version: [2, 10],
      title: 'Footnote index',
      added: ['An index of every footnote'],
      fixed: ['Scrolling in documents of more than 2,000 pages'],
    },
    {
      version: [3, 0],
      title: 'A new library',
      added: ['Shelves and tags', 'Search in all documents at once'],
      fixed: ['Documents on network drives open twice as fast'],
    },
    {
      version: [3, 1],
      title: 'Handwriting',
      added: ['Handwritten notes with a pen', 'Convert handwriting to text'],
      fixed: ['Pen pressure on external tablets'],
    },
    {
      version: [3, 2],
      title: 'Review rounds',
      added: ['Invite reviewers to a round', 'Resolve notes together'],
      fixed: ['Undo after pasting tables'],
    },
  ],
}
