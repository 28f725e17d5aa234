/** What the `User-Agent` header says about a browser on an Apple device. */
export type AppleBrowser = {
  /** Only Safari starts installations from links and opens profiles. */
  isSafari: boolean
  /** The version of iOS or iPadOS; null if the header does not say it reliably. */
  osVersion: string | null
  /** What the person calls the device. */
  device: 'iPhone' | 'iPad'
}

const otherBrowsers =
  /CriOS|FxiOS|EdgiOS|OPiOS|OPT\/|OPX\/|GSA\/|DuckDuckGo|YaBrowser|FBAN|FBAV|Instagram|Line\/|MicroMessenger|Slack|LinkedInApp|Snapchat|Teams/

/** From iOS 26 on, the header contains a version of iOS 18, so that only the version of Safari is reliable. */
const isFrozen = (version: string): boolean =>
  compareVersions(version, '18.6') >= 0 && compareVersions(version, '26') < 0

/** Reads the header of a browser on an iPhone or iPad. Browsers inside apps leave `Version/` out. */
export function appleBrowserOf(userAgent: string | null): AppleBrowser {
  const agent = userAgent ?? ''
  const safari = /Version\/(\d+(?:\.\d+)*)/.exec(agent)?.[1]
  const isSafari = safari !== undefined && agent.includes('Safari/') && !otherBrowsers.test(agent)
  const system = /\bOS (\d+(?:_\d+)*) like Mac/.exec(agent)?.[1]?.replaceAll('_', '.') ?? null
  // The version of Safari is that of the system.
  const own = isSafari ? safari : null
  const reported = system !== null && isFrozen(system) ? null : system
  return {
    isSafari,
    osVersion:
      [own, reported]
        .filter((version) => version !== null)
        .toSorted(compareVersions)
        .at(-1) ?? null,
    device: agent.includes('iPhone') || agent.includes('iPod') ? 'iPhone' : 'iPad',
  }
}

/** Compares versions such as `17.4` and `17.4.1` number by number. */
export function compareVersions(one: string, other: string): number {
  const [first, second] = [one, other].map((text) => text.split('.').map(Number))
  for (const index of [0, 1, 2]) {
    const difference = (first?.[index] ?? 0) - (second?.[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
