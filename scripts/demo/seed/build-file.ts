import { gzipSync } from 'node:zlib'
import { tarArchive } from '../../../packages/server/src/lib/archives/tar.ts'
import { debianPackage } from '../../../packages/server/test/debian-package.ts'
import { drawIcon } from '../drawing/icons.ts'
import { androidPackage } from '../packages/android.ts'
import { iosPackage } from '../packages/apple.ts'
import { createSigner, type Signer } from '../packages/certificate.ts'
import { windowsExecutable } from '../packages/windows.ts'
import type { ApplicationPlan, PlatformPlan } from '../plan/application-plan.ts'
import type { RunPlan } from '../plan/build-plan.ts'
import { createRandom, randomContent, sha1Of, uuidOf } from '../random.ts'
import type { Seeding } from '../seeding.ts'

const companyName = 'Brindle Works'
const abis: Readonly<Record<string, string>> = { arm64v8: 'arm64-v8a', x64: 'x86_64' }
/** The first bytes of formats that the service does not inspect. */
const signatures: Readonly<Record<string, string>> = {
  '.7z': '377abcaf271c',
  '.nsp': '50465330',
  '.pkg': '7f434e54',
}

export type FileMaker = ReturnType<typeof createFileMaker>

/** Creates the file of a build. Later versions of an application are larger. */
export function createFileMaker({ seed, now, size }: Pick<Seeding, 'seed' | 'now' | 'size'>) {
  const signer = createSigner(seed, `${companyName} Release`, companyName)
  const icons = new Map<string, Buffer>()
  const iconOf = ({ slug }: ApplicationPlan): Buffer => {
    const icon = icons.get(slug) ?? drawIcon(slug, 192)
    icons.set(slug, icon)
    return icon
  }
  return (plan: ApplicationPlan, run: RunPlan, planned: PlatformPlan) => {
    const platform = packagedFor(run, planned)
    const version = versionOf(run)
    const name = `${plan.name.replaceAll(' ', '-').toLowerCase()}-${version}${platform.ending}`
    const content = contentOf(plan, run, platform, seed, size === 'small' ? 0.1 : 1)
    return {
      filename: name,
      content: packageOf({ plan, run, platform, content, icon: iconOf(plan), signer, now }),
    }
  }
}

/** Inspection takes most of the time of seeding, so only stable builds are installers where archives are possible. */
function packagedFor({ stream }: RunPlan, platform: PlatformPlan): PlatformPlan {
  const { plainEnding } = platform
  if (stream === 'stable' || plainEnding === undefined) return platform
  return { ...platform, ending: plainEnding, kind: plainEnding.endsWith('.tar.gz') ? 'tar' : 'image' }
}

export const versionOf = ({ version, extra }: Pick<RunPlan, 'version' | 'extra'>): string =>
  `${version.join('.')}${extra === undefined ? '' : `-${extra}`}`

function contentOf(
  { slug, trains }: ApplicationPlan,
  run: RunPlan,
  { sizeKb, platform }: PlatformPlan,
  seed: string,
  scale: number,
): Buffer {
  const id = `${seed} ${slug} ${platform} ${run.number}`
  const [min, max] = sizeKb
  const growth = trains.indexOf(run.train) / trains.length
  const kilobytes = min + (max - min) * (growth * 0.8 + createRandom(id).between(0, 0.2))
  return randomContent(id, Math.round(kilobytes * 1024 * scale))
}

/** Returns the identifiers of devices. Provisioning profiles list the first of them. */
export const profileDevices = (count: number): string[] =>
  Array.from(
    { length: count },
    (_, index) => `00008130-${sha1Of(`device ${index}`).slice(0, 16).toUpperCase()}`,
  )

type Parts = {
  plan: ApplicationPlan
  run: RunPlan
  platform: PlatformPlan
  content: Buffer
  icon: Buffer
  signer: Signer
  now: Date
}

function packageOf({ plan, run, platform, content, icon, signer, now }: Parts): Buffer {
  const version = versionOf(run)
  switch (platform.kind) {
    case 'apk':
      return androidPackage({
        packageName: plan.packageName,
        label: plan.name,
        versionName: version,
        versionCode: run.number,
        minimumApi: run.version[0] >= 5 ? 28 : 26,
        targetApi: 36,
        isDebuggable: run.stream === 'default',
        permissions: permissionsOf(plan, run),
        abis: platform.architectures.map((architecture) => abis[architecture] ?? architecture),
        icon,
        content,
        signer,
      })
    case 'ipa':
      return iosPackage({
        bundleId: plan.packageName,
        name: plan.name,
        version: run.version.join('.'),
        buildNumber: String(run.number),
        minimumOs: run.version[0] >= 5 ? '17.0' : '16.0',
        teamName: companyName,
        teamId: 'BW7K2M9QXA',
        profile: {
          uuid: uuidOf(`profile ${plan.slug} ${run.version[0]}`),
          expiresAt: new Date(now.getTime() + 19 * 24 * 60 * 60 * 1000),
          devices: profileDevices(14),
        },
        icon,
        content,
        signer,
      })
    case 'exe':
      return windowsExecutable({
        productName: plan.name,
        companyName,
        version: run.version,
        icon,
        content,
        signer,
      })
    case 'deb':
      return Buffer.concat([
        debianPackage({
          Package: plan.packageName,
          Version: `${version.replace('-', '~')}-1`,
          Architecture: 'amd64',
          Maintainer: `${companyName} <packages@brindle.example>`,
          Description: plan.description,
        }),
        debianMember('_extra.bin', content),
      ])
    case 'tar':
      // The content does not compress, so compression would only take time.
      return gzipSync(
        tarArchive(
          [{ path: `${plan.packageName}/bin/${plan.packageName}`, content, mode: 0o755 }],
          new Date(0),
        ),
        { level: 0 },
      )
    case 'image': {
      const extension = platform.ending.slice(platform.ending.lastIndexOf('.'))
      return Buffer.concat([Buffer.from(signatures[extension] ?? '', 'hex'), content])
    }
    default:
      throw new Error(`Unknown kind of file: ${String(platform.kind)}`)
  }
}

/** Later major versions request more permissions, so that comparisons show a difference. */
const permissionsOf = ({ permissions = [], trains }: ApplicationPlan, { train }: RunPlan): string[] => {
  const added = trains.indexOf(train) >= 4 ? ['POST_NOTIFICATIONS', 'BLUETOOTH_CONNECT'] : []
  return [...permissions, ...added].map((name) => `android.permission.${name}`)
}

/** Returns a member of an ar archive (deb(5)). dpkg ignores members whose names start with an underscore. */
function debianMember(name: string, content: Buffer): Buffer {
  const header = `${name.padEnd(16)}${'0'.padEnd(12)}${'0'.padEnd(12)}${'100644'.padEnd(8)}${String(content.length).padEnd(10)}\`\n`
  return Buffer.concat([Buffer.from(header), content, Buffer.alloc(content.length % 2, '\n')])
}
