import type { ApplicationPlan } from './application-plan.ts'

export const lanternDeep: ApplicationPlan = {
  slug: 'lantern-deep',
  name: 'Lantern Deep',
  description: 'A diving mystery for PC and consoles.',
  packageName: 'lantern-deep',
  platforms: [
    { platform: 'generic', ending: '-win64.7z', kind: 'image', architectures: ['x64'], sizeKb: [900, 2800] },
    { platform: 'switch2', ending: '.nsp', kind: 'image', architectures: [], sizeKb: [700, 2200] },
    { platform: 'ps5', ending: '.pkg', kind: 'image', architectures: [], sizeKb: [1100, 3200] },
    { platform: 'xbox-series', ending: '.xvc', kind: 'image', architectures: [], sizeKb: [1100, 3200] },
  ],
  ci: 'jenkins',
  repository: 'games/lantern-deep',
  lead: 'mateo',
  team: { mateo: 'admin', sola: 'developer', yuki: 'developer', leilani: 'qa', samir: 'qa' },
  nightly: { platforms: 1, everyDays: 1 },
  labels: [
    { name: 'vertical-slice', color: '#4b5fd0', description: 'One complete chapter for publishers.' },
    { name: 'cert-candidate', color: '#8a4bd0', description: 'Submitted to a console maker.' },
    { name: 'debug-menu', color: '#7a7f89', description: 'Contains the debug menu.' },
  ],
  targets: [
    { name: 'Show floor', platform: 'generic', description: 'Resets after three minutes without input.' },
  ],
  features: [
    {
      branch: 'level/sunken-archive',
      commits: [
        'Block out the sunken archive',
        'Place the three lantern puzzles',
        'Bake lights for the reading hall',
      ],
    },
    { branch: 'feature/photo-mode', commits: ['Add photo mode with depth of field'] },
    {
      branch: 'fix/pressure-audio',
      commits: ['Muffle sound by depth instead of by room', 'Keep voices above the ambience'],
    },
    { branch: 'feature/rewind', commits: ['Rewind the last ten seconds', 'Limit rewind to one per dive'] },
  ],
  trains: [
    {
      version: [0, 5],
      title: 'First dive',
      added: ['The harbor and the first wreck'],
      fixed: ['Divers no longer float out of the airlock'],
    },
    {
      version: [0, 6],
      title: 'Vertical slice',
      added: ['Chapter 1 from start to end', 'Captions in 11 languages'],
      fixed: ['Frame drops in the kelp forest'],
    },
    {
      version: [0, 7],
      title: 'Sunken archive',
      added: ['The sunken archive', 'Three lantern puzzles'],
      fixed: ['Saves on a full disk'],
    },
    {
      version: [0, 8],
      title: 'Photo mode',
      added: ['Photo mode', 'Remappable controls'],
      fixed: ['Subtitles behind the helmet'],
    },
    {
      version: [0, 9],
      title: 'Console certification',
      added: ['Activity cards', 'Suspend and resume during dialogs'],
      fixed: ['Trophies that were granted twice'],
    },
    {
      version: [1, 0],
      title: 'The whole descent',
      added: ['Chapters 4 to 7', 'The ending'],
      fixed: ['Load times on all consoles'],
    },
  ],
}

export const saltmarsh: ApplicationPlan = {
  slug: 'saltmarsh',
  name: 'Saltmarsh Gateway',
  description: 'Firmware of the tide sensors and of the gateway that collects their readings.',
  packageName: 'saltmarsh',
  platforms: [
    {
      platform: 'zephyr',
      ending: '-sensor.bin',
      kind: 'image',
      architectures: ['armv8-m-ml'],
      sizeKb: [180, 320],
      customTarget: 'Tide sensor rev C',
    },
    {
      platform: 'linux',
      ending: '-gateway.tar.gz',
      kind: 'tar',
      architectures: ['arm64v8'],
      sizeKb: [400, 900],
      customTarget: 'Gateway rev B',
    },
  ],
  ci: 'gitlab-ci',
  repository: 'embedded/saltmarsh',
  lead: 'ngocAnh',
  team: { ngocAnh: 'admin', tomasz: 'developer', sola: 'developer', samir: 'qa' },
  nightly: { platforms: 2, everyDays: 2 },
  labels: [
    { name: 'soak-72h', color: '#1f7f8c', description: 'Ran for 72 hours on the bench without a reset.' },
    { name: 'brown-out', color: '#d64545', description: 'Fails below 2.9 V.' },
  ],
  targets: [
    {
      name: 'Tide sensor rev C',
      platform: 'zephyr',
      description: 'Board with the pressure sensor and two radios.',
    },
    { name: 'Gateway rev B', platform: 'linux', description: 'Gateway with a cellular modem.' },
  ],
  features: [
    {
      branch: 'feature/burst-sampling',
      commits: ['Sample at 8 Hz while waves are high', 'Compress bursts before sending'],
    },
    {
      branch: 'fix/watchdog-reset',
      commits: ['Feed the watchdog while the modem attaches', 'Log the reason of the last reset'],
    },
    {
      branch: 'feature/dual-bank-update',
      commits: ['Write updates to the inactive bank', 'Roll back after three failed boots'],
    },
  ],
  trains: [
    {
      version: [1, 6],
      title: 'Burst sampling',
      added: ['Samples at 8 Hz while waves are high'],
      fixed: ['Clock drift of more than 2 s a day'],
    },
    {
      version: [1, 7],
      title: 'Longer battery life',
      added: ['Sleeps between tides'],
      fixed: ['Radio stayed on after a failed join'],
    },
    {
      version: [1, 8],
      title: 'Two banks',
      added: ['Updates that roll back by themselves'],
      fixed: ['Watchdog resets while the modem attaches'],
    },
    {
      version: [1, 9],
      title: 'Signed updates',
      added: ['The gateway verifies signatures of sensor images'],
      fixed: ['Lost readings after a power failure'],
    },
    {
      version: [2, 0],
      title: 'Mesh',
      added: ['Sensors relay readings of their neighbors'],
      fixed: ['Duplicate readings at the gateway'],
    },
  ],
}

export const plover: ApplicationPlan = {
  slug: 'plover',
  name: 'Plover',
  description: 'Command line for shoreline data: fetch, check and publish readings.',
  packageName: 'plover',
  platforms: [
    {
      platform: 'linux',
      ending: '-linux-x64.tar.gz',
      kind: 'tar',
      architectures: ['x64'],
      sizeKb: [300, 700],
    },
    {
      platform: 'macos',
      ending: '-macos-arm64.tar.gz',
      kind: 'tar',
      architectures: ['apple'],
      sizeKb: [300, 700],
    },
    {
      platform: 'windows',
      ending: '-windows-x64.exe',
      kind: 'exe',
      plainEnding: '-windows-x64.7z',
      architectures: ['x64'],
      sizeKb: [300, 700],
    },
    {
      platform: 'debian',
      ending: '_amd64.deb',
      kind: 'deb',
      plainEnding: '-debian-x64.tar.gz',
      architectures: ['x64'],
      sizeKb: [250, 600],
    },
  ],
  ci: 'ghactions',
  repository: 'plover',
  lead: 'sola',
  team: { sola: 'admin', aoife: 'developer', priya: 'developer', freya: 'readonly' },
  nightly: { platforms: 1, everyDays: 2 },
  labels: [{ name: 'breaking', color: '#c77d1e', description: 'Changes an option or an exit code.' }],
  targets: [],
  features: [
    {
      branch: 'feature/parquet-output',
      commits: ['Write readings as Parquet', 'Choose the compression of Parquet files'],
    },
    { branch: 'fix/retry-after', commits: ['Honor Retry-After in fetch'] },
    { branch: 'feature/watch', commits: ['Add plover watch', 'Exit with 3 when readings stop'] },
  ],
  trains: [
    {
      version: [0, 14],
      title: 'Parquet',
      added: ['`--format parquet`'],
      fixed: ['Fetch honors `Retry-After`'],
    },
    {
      version: [0, 15],
      title: 'Watch',
      added: ['`plover watch` prints readings as they arrive'],
      fixed: ['Colors in pipes'],
    },
    {
      version: [1, 0],
      title: 'Stable options',
      added: ['Options and exit codes no longer change within a major version'],
      fixed: ['Completion in fish'],
    },
    {
      version: [1, 1],
      title: 'Profiles',
      added: ['Profiles for several stations'],
      fixed: ['Time zones in CSV files'],
    },
    {
      version: [1, 2],
      title: 'Checks',
      added: ['`plover check` finds gaps and spikes'],
      fixed: ['Memory use for files above 2 GB'],
    },
  ],
}
