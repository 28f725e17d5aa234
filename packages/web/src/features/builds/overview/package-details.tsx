import { Skeleton, Text } from '@mantine/core'
import type { AndroidInfo, FullBuild, IosInfo, PackageInfo } from '@quayside/sdk'
import type { ReactNode } from 'react'
import { buildText } from '../../../text/builds/build.ts'
import { Copyable } from '../../../ui/copyable.tsx'
import { Fact, FactList } from '../../../ui/fact-list.tsx'
import { useNow } from '../../../ui/format/now.ts'
import { calendarDay, daysUntil } from '../../../ui/format/time.ts'
import { IconAlertTriangle, IconCheck } from '../../../ui/icons/icons.ts'
import { Section } from '../../../ui/section.tsx'
import { isProcessing } from '../build.queries.ts'
import { androidVersion } from './android-versions.ts'
import classes from './overview.module.css'
import { RegisteredDevices } from './registered-devices.tsx'

/** What the service read from the package of a build. */
export function PackageDetails({ build }: { build: FullBuild }) {
  const { android_info: android, ios_info: ios, file_info: file } = build
  const hasDetails = android !== null || ios !== null || file !== null || build.architectures.length > 0
  return (
    <Section title="Package">
      {isProcessing(build) && !hasDetails ? (
        <Skeleton height={14} width="70%" />
      ) : !hasDetails ? (
        <Text fz="sm" c="dimmed">
          {build.processing_error ?? buildText.noPackage}
        </Text>
      ) : (
        <FactList>
          {android !== null && <AndroidFacts android={android} file={file} />}
          {ios !== null && <IosFacts ios={ios} />}
          {ios !== null && <RegisteredDevices build={build} />}
          {file !== null && android === null && ios === null && <FileFacts file={file} />}
          <Fact name="Architectures">{architecturesOf(build)}</Fact>
          {file !== null && <Dependencies names={file.dependencies} />}
          {file !== null && <Fact name="Format">{file.format}</Fact>}
        </FactList>
      )}
    </Section>
  )
}

function AndroidFacts({ android, file }: { android: AndroidInfo; file: PackageInfo | null }) {
  return (
    <>
      <Fact name="Package">{copyable(android.package_name, 'package name')}</Fact>
      <Fact name="Version">
        {[android.version_name, android.version_code].filter((part) => part !== null).join(' / ')}
      </Fact>
      <Fact name="Minimum">{android.minimum_api !== null && androidVersion(android.minimum_api)}</Fact>
      <Fact name="Target">{android.target_api !== null && androidVersion(android.target_api)}</Fact>
      <Fact name="Signature">
        <Signature status={file?.signature_status ?? (android.package_signed ? 'unknown' : 'unsigned')} />
      </Fact>
      <Fact name="Signed by">{file?.signer}</Fact>
      <Fact name="Certificate">
        {copyable(android.signing_cert_sha256, 'certificate SHA-256', shortHash)}
      </Fact>
      <Fact name="Debuggable">
        {android.is_debuggable ? (
          <Status tone="warn">Yes: anyone with the device can read its data</Status>
        ) : (
          'No'
        )}
      </Fact>
    </>
  )
}

const keyTypes = {
  development: 'Development',
  adhoc: 'Ad hoc',
  enterprise: 'Enterprise (in-house)',
  appstore: 'App Store',
} as const

function IosFacts({ ios }: { ios: IosInfo }) {
  const devices = ios.provisioned_device_count
  return (
    <>
      <Fact name="Bundle">{copyable(ios.bundle_id, 'bundle identifier')}</Fact>
      <Fact name="Name">{ios.bundle_name}</Fact>
      <Fact name="Version">
        {[ios.version_short_string, ios.bundle_version].filter((part) => part !== null).join(' / ')}
      </Fact>
      <Fact name="Minimum">{ios.minimum_os !== null && `iOS ${ios.minimum_os}`}</Fact>
      <Fact name="Distribution">{ios.key_type !== null && keyTypes[ios.key_type]}</Fact>
      <Fact name="Team">{ios.team_name}</Fact>
      <Fact name="Team ID">{copyable(ios.team_identifier, 'team identifier')}</Fact>
      <Fact name="Profile">
        {ios.provisioning_profile_expiry !== null && (
          <ProfileExpiry expiry={ios.provisioning_profile_expiry} />
        )}
      </Fact>
      <Fact name="Profile signature">
        {ios.provisioning_profile_signature !== null && (
          <Signature status={ios.provisioning_profile_signature} />
        )}
      </Fact>
      <Fact name="Devices">{devices !== null && buildText.profile.devices(devices)}</Fact>
    </>
  )
}

const warnDays = 30

function ProfileExpiry({ expiry }: { expiry: string }) {
  const days = daysUntil(expiry, useNow())
  if (days < 0) return <Status tone="bad">{buildText.profile.expired}</Status>
  return (
    <Status tone={days < warnDays ? 'warn' : undefined}>
      {days === 0 ? 'Expires today' : `${days} ${days === 1 ? 'day' : 'days'} left`}, until{' '}
      {calendarDay(expiry)}
    </Status>
  )
}

function FileFacts({ file }: { file: PackageInfo }) {
  return (
    <>
      <Fact name="Name">{copyable(file.name, 'package name')}</Fact>
      <Fact name="Version">
        {[file.version, file.build_number].filter((part) => part !== null).join(' / ')}
      </Fact>
      <Fact name="Publisher">{file.publisher}</Fact>
      <Fact name="Minimum">{file.minimum_os}</Fact>
      <Fact name="Signature">
        {file.signature_status !== null && <Signature status={file.signature_status} />}
      </Fact>
      <Fact name="Signed by">{file.signer}</Fact>
    </>
  )
}

/** The architectures that the uploader stated or, if there are none, those of the file. */
const architecturesOf = ({ architectures, file_info: file }: FullBuild): string =>
  (architectures.length > 0 ? architectures.map(({ name }) => name) : (file?.architectures ?? [])).join(', ')

const maxDependencies = 12

function Dependencies({ names }: { names: readonly string[] }) {
  const shown = names.slice(0, maxDependencies).join(', ')
  const more = names.length - maxDependencies
  return <Fact name="Requires">{more > 0 ? `${shown} and ${more} more` : shown}</Fact>
}

const signatureTones = { valid: 'good', invalid: 'bad', unsigned: 'warn', unknown: undefined } as const

function Signature({ status }: { status: keyof typeof signatureTones }) {
  return <Status tone={signatureTones[status]}>{buildText.signature[status]}</Status>
}

type StatusProps = { tone: 'good' | 'warn' | 'bad' | undefined; children: ReactNode }

function Status({ tone, children }: StatusProps) {
  return (
    <span className={classes.status} data-tone={tone}>
      {tone === 'good' && <IconCheck size={15} aria-hidden />}
      {(tone === 'warn' || tone === 'bad') && <IconAlertTriangle size={15} aria-hidden />}
      {children}
    </span>
  )
}

const copyable = (value: string | null, label: string, shorten: (text: string) => string = (text) => text) =>
  value !== null && (
    <Copyable value={value} label={label} mono>
      {shorten(value)}
    </Copyable>
  )

const shortHash = (hash: string): string =>
  `SHA-256 ${hash.replaceAll(':', '').slice(0, 16).match(/../g)?.join(':').toUpperCase() ?? hash}…`
