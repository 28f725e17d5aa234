import { androidApiOf, androidVersionName } from '../../catalog/android-versions.ts'
import { architectureResource } from '../../catalog/architectures.ts'
import type { Db } from '../../database/transaction.ts'
import type { PageCall } from '../../http/pages/page.ts'
import type { VisitorText } from '../../http/pages/text/english.ts'
import type { DeviceDetails } from '../../lib/device.ts'
import type { BuildRow } from '../builds/build.db.ts'
import { versionWithNumber } from '../builds/build.ts'
import { listOtherBuilds, type OtherBuild } from './obstacles.db.ts'
import { androidInfoOf, supportedArchitectures } from './package-facts.ts'

/** What prevents the installation of a build on the visitor's device, or may prevent it, by build ID. */
export type Obstacles = ReadonlyMap<string, readonly string[]>

type Call = Pick<PageCall, 'text'> & { db: Db; deviceDetails: DeviceDetails }
/** The recipient of the link, if it is personal, may see other releases than the one on the page. */
type Scope = { applicationId: string; recipient?: string }

/**
 * Returns the obstacles of the Android builds on a page. Compares them with other builds of the same packages that the
 * visitor may see.
 */
export async function findObstacles(
  { db, ...call }: Call,
  builds: readonly BuildRow[],
  scope: Scope,
): Promise<Obstacles> {
  const packages = builds.flatMap((build) => androidInfoOf(build)?.package_name ?? [])
  const ids = builds.map(({ id }) => id)
  const others = packages.length === 0 ? [] : await listOtherBuilds(db, { ...scope, packages, ids })
  return new Map(builds.map((build) => [build.id, obstaclesOf(build, others, call)]))
}

function obstaclesOf(build: BuildRow, others: readonly OtherBuild[], call: Omit<Call, 'db'>): string[] {
  if (build.platform !== 'android') return []
  const { obstacles: text } = call.text
  return [
    systemObstacle(build, call),
    architectureObstacle(build, text),
    ...versionObstacles(build, others, text),
  ].filter((obstacle) => obstacle !== undefined)
}

function systemObstacle(build: BuildRow, { deviceDetails, text }: Omit<Call, 'db'>): string | undefined {
  const needed = androidInfoOf(build)?.minimum_api ?? null
  const { androidVersion } = deviceDetails
  const api = androidVersion === undefined ? undefined : androidApiOf(androidVersion)
  if (needed === null || api === undefined || api >= needed) return undefined
  return text.obstacles.system(text.facts.orNewer(androidVersionName(needed)), androidVersionName(api))
}

type ObstacleText = VisitorText['obstacles']

function architectureObstacle(build: BuildRow, text: ObstacleText): string | undefined {
  const supported = supportedArchitectures(build)
  if (supported.length === 0 || supported.includes('arm64v8')) return undefined
  if (supported.some((id) => id.startsWith('armv'))) return text.only32Bit
  return text.noArm(supported.map((id) => architectureResource(id).name).join(', '))
}

/** Android installs a build over another one only if its version code is not lower and its signer is the same. */
function versionObstacles(build: BuildRow, others: readonly OtherBuild[], text: ObstacleText): string[] {
  const { package_name: name, version_code, signing_cert_sha256: signer = null } = androidInfoOf(build) ?? {}
  const code = version_code ?? Number.POSITIVE_INFINITY
  const same = others.filter(({ android_info: info }) => info.package_name === name)
  const codeOf = (other: OtherBuild) => other.android_info.version_code ?? -1
  const highest = same.toSorted((one, other) => codeOf(other) - codeOf(one))[0]
  const newer = highest !== undefined && codeOf(highest) > code ? highest : undefined
  const foreign = same.find(
    ({ android_info: { signing_cert_sha256: other = null }, created_at }) =>
      other !== null && signer !== null && other !== signer && created_at < build.created_at,
  )
  return [
    ...(newer === undefined ? [] : [text.lowerVersion(versionWithNumber(newer))]),
    ...(foreign === undefined ? [] : [text.otherSigner(versionWithNumber(foreign))]),
  ]
}
