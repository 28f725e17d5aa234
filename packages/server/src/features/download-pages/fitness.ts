import type { Device, DeviceDetails } from '../../lib/device.ts'
import type { BuildWithFiles } from './build-files.ts'
import { androidInfoOf, supportedArchitectures } from './package-facts.ts'

/**
 * Returns how well a build suits the architecture of the device; 0 is best. A browser on Android does not reveal the
 * architecture: a universal APK runs everywhere, and nearly all phones are ARM64.
 */
function rankOf({ build }: BuildWithFiles, device: Device, { architecture }: DeviceDetails): number {
  const supported = supportedArchitectures(build)
  if (supported.length === 0) return 2
  if (device === 'android') {
    if (!supported.includes('arm64v8')) return 3
    return supported.length > 1 ? 0 : 1
  }
  if (architecture === undefined) return 2
  return supported.includes(architecture) ? 0 : 3
}

/** Returns a function that compares builds by how well they suit the architecture of the device. */
export const byFitness =
  (device: Device, details: DeviceDetails) =>
  (one: BuildWithFiles, other: BuildWithFiles): number =>
    rankOf(one, device, details) - rankOf(other, device, details)

/**
 * Returns the build that suits the device best, of builds of the same application that differ in their architectures.
 * Returns undefined if there are several such builds, or it is not known what the device needs.
 */
export function findPreferred(
  builds: readonly BuildWithFiles[],
  device: Device,
  details: DeviceDetails,
): BuildWithFiles | undefined {
  const isKnown = builds.every(({ build }) => supportedArchitectures(build).length > 0)
  const names = new Set(builds.map(({ build }) => androidInfoOf(build)?.package_name ?? ''))
  if (!isKnown || names.size > 1) return undefined
  const ranks = builds.map((build) => rankOf(build, device, details))
  const lowest = Math.min(...ranks)
  const [first, ...more] = builds.filter((_, index) => ranks[index] === lowest)
  return lowest > 1 || more.length > 0 ? undefined : first
}
