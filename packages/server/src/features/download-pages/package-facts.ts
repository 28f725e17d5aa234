import { androidVersionName } from '../../catalog/android-versions.ts'
import { architectureResource } from '../../catalog/architectures.ts'
import { symbol } from '../../http/endpoint/symbols.ts'
import type { VisitorText } from '../../http/pages/text/english.ts'
import type { AndroidInfo, IosInfo, PackageInfo } from '../../inspection/inspection.ts'
import { html, type Html } from '../../lib/html.ts'
import type { BuildRow } from '../builds/build.db.ts'

export type Fact = [label: string, value: Html | string]
type FactText = VisitorText['facts']

/** Returns what a visitor wants to know of a package before installing it, as far as it was read. */
export function packageFacts(build: BuildRow, { facts }: VisitorText): Fact[] {
  const minimum = minimumSystem(build, facts)
  const architectures = architectureNames(build)
  const info = infoOf(build)
  return [
    ...(minimum === null ? [] : [[facts.requires, minimum] satisfies Fact]),
    ...(architectures === '' ? [] : [[facts.architectures, architectures] satisfies Fact]),
    ...(info?.signature_status
      ? [[facts.signature, renderStatus(info.signature_status, facts)] satisfies Fact]
      : []),
    ...(info?.signer ? [[facts.signedBy, renderSigner(info.signer, facts)] satisfies Fact] : []),
  ]
}

/** Returns the same in one line, for a list of builds that already names the architectures. */
export function packageLine(build: BuildRow, { facts }: VisitorText): string {
  return [minimumSystem(build, facts), signatureOf(build, facts)].filter((part) => part !== null).join(' · ')
}

/** Returns whether and by whom the package is signed, in a few words. */
export function signatureLine(build: BuildRow, { facts }: VisitorText): string {
  const signature = signatureOf(build, facts)
  if (signature === null) return facts.unreadSignature
  const { signer, signature_status: status } = infoOf(build) ?? {}
  return signer !== null && status === 'valid' ? `${signature} ${facts.unverifiedName}` : signature
}

function signatureOf(build: BuildRow, facts: FactText): string | null {
  const { signer = null, signature_status: status = null } = infoOf(build) ?? {}
  if (signer !== null && status === 'valid') return facts.signedByName(signer)
  return status && facts.signatures[status].line
}

/** Returns the metadata of an Android application, as far as it was read. */
export const androidInfoOf = ({ android_info: info }: BuildRow) => info as Partial<AndroidInfo> | null

/** Returns the metadata of an iOS application, as far as it was read. */
export const iosInfoOf = ({ ios_info: info }: BuildRow) => info as Partial<IosInfo> | null

const infoOf = ({ file_info: info }: BuildRow) => info as Partial<PackageInfo> | null

/** What Mac users know architectures as. */
const macArchitectures: Readonly<Record<string, string>> = { x64: 'Intel (x86-64)' }

/** Returns the architectures that were set, or else those that were read from the package. */
export function architectureNames(build: BuildRow): string {
  const known = build.platform === 'macos' ? macArchitectures : {}
  return supportedArchitectures(build)
    .map((id) => known[id] ?? architectureResource(id).name)
    .join(', ')
}

/** Returns the identifiers of the architectures; empty if they are unknown or the package runs on every architecture. */
export const supportedArchitectures = (build: BuildRow): readonly string[] =>
  build.architectures.length > 0 ? build.architectures : (infoOf(build)?.architectures ?? [])

const windowsNames: Readonly<Record<string, string>> = {
  '6.1': '7',
  '6.2': '8',
  '6.3': '8.1',
  '10.0': '10',
}

/** Returns the oldest system on which the package runs, such as `Android 8.0 or newer`. */
function minimumSystem(build: BuildRow, { orNewer }: FactText): string | null {
  const api = androidInfoOf(build)?.minimum_api ?? null
  if (api !== null) return orNewer(androidVersionName(api))
  const minimum = infoOf(build)?.minimum_os ?? null
  if (minimum === null) return null
  // Requirements of other kinds, such as `Python >=3.9`, are complete.
  if (!/^(?:macOS |Linux )?[\d.]+$/.test(minimum)) return minimum
  if (build.platform === 'ios') return orNewer(`iOS ${minimum}`)
  if (build.platform === 'macos') return orNewer(`macOS ${minimum.replace('macOS ', '')}`)
  if (build.platform !== 'windows') return orNewer(minimum)
  const [version = ''] = /^\d+\.\d+/.exec(minimum) ?? []
  // Linkers write 6.0 (Vista) or less unless a developer chooses another number, so these say nothing.
  return windowsNames[version] === undefined ? null : orNewer(`Windows ${windowsNames[version]}`)
}

const looks = {
  valid: { icon: 'shield', style: 'good' },
  invalid: { icon: 'warning', style: 'bad' },
  unsigned: { icon: undefined, style: '' },
  unknown: { icon: undefined, style: '' },
} as const

// Anyone can create a certificate with any name, and no trust store is consulted.
const renderSigner = (signer: string, { unverifiedName }: FactText): Html =>
  html`${signer} <span class="small">${unverifiedName}</span>`

function renderStatus(status: keyof typeof looks, { signatures }: FactText): Html {
  const { icon, style } = looks[status]
  return html`<span class="${style}">${icon !== undefined && symbol(icon)} ${signatures[status].text}</span>`
}
