import type { PageCall } from '../../http/pages/page.ts'
import { appleBrowserOf, compareVersions, type AppleBrowser } from '../../lib/apple-browser.ts'
import type { BuildRow } from '../builds/build.db.ts'
import { listBuildIdsForDevice } from '../builds/inspection/package-detail.db.ts'
import { iosInfoOf } from './package-facts.ts'

/** How a page lets visitors install builds on iPhones and iPads. */
export type IosInstallation = {
  /** Returns the link that installs a build. */
  urlOf: (build: BuildRow) => string
  /** The identifier of the visitor's device, if the browser knows it. */
  udid: string | undefined
  /** The path of the page on which a visitor registers the device. */
  devicePath: string
  /** The absolute URL that the visitor copies into another browser. */
  pageUrl: string
}

/** What prevents the installation, or whether the profile includes the device. */
export type IosState =
  | { name: 'processing' | 'insecure' | 'storeOnly' | 'noProfile' | 'otherBrowser' | 'notIncluded' }
  | { name: 'expired'; at: Date }
  | { name: 'tooOld'; minimum: string; current: string }
  | { name: 'included' | 'unchecked' | 'anyDevice' }

export type IosVisit = { browser: AppleBrowser; stateOf: (build: BuildRow) => IosState } & IosInstallation

/** Returns what applies to the visitor's device for each build. */
export async function visitOnIos(
  call: Pick<PageCall, 'db' | 'secretBox' | 'clock' | 'config' | 'userAgent'>,
  builds: readonly BuildRow[],
  installation: IosInstallation,
): Promise<IosVisit> {
  const browser = appleBrowserOf(call.userAgent)
  const { udid } = installation
  const apps = builds.filter(({ ios_info }) => ios_info !== null)
  const [first] = apps
  const included =
    udid === undefined || first === undefined
      ? undefined
      : await listBuildIdsForDevice(call, {
          workspaceId: first.workspace_id,
          udid,
          buildIds: apps.map(({ id }) => id),
        })
  const isSecure = call.config.publicUrl.startsWith('https:')
  return {
    ...installation,
    browser,
    stateOf: (build) =>
      obstacleOf(build, { browser, isSecure, now: call.clock.now() }) ??
      (iosInfoOf(build)?.key_type === 'enterprise'
        ? { name: 'anyDevice' }
        : {
            name:
              included === undefined ? 'unchecked' : included.includes(build.id) ? 'included' : 'notIncluded',
          }),
  }
}

function obstacleOf(
  build: BuildRow,
  { browser, isSecure, now }: { browser: AppleBrowser; isSecure: boolean; now: Date },
): IosState | undefined {
  const info = iosInfoOf(build)
  if (['waiting', 'queued'].includes(build.processing)) return { name: 'processing' }
  if (info?.key_type === 'appstore') return { name: 'storeOnly' }
  if (!info?.key_type || !info.bundle_id) return { name: 'noProfile' }
  const expiry = info.provisioning_profile_expiry ? new Date(info.provisioning_profile_expiry) : undefined
  if (expiry !== undefined && expiry <= now) return { name: 'expired', at: expiry }
  const minimum = /^\d+(\.\d+)*$/.test(info.minimum_os ?? '') ? info.minimum_os : null
  if (minimum && browser.osVersion !== null && compareVersions(browser.osVersion, minimum) < 0)
    return { name: 'tooOld', minimum, current: browser.osVersion }
  if (!isSecure) return { name: 'insecure' }
  return browser.isSafari ? undefined : { name: 'otherBrowser' }
}
