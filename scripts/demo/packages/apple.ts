import { universalExecutable, xmlPlist } from '../../../packages/server/test/inspection/apple-packages.ts'
import { zipFile } from '../../../packages/server/test/inspection/zip-file.ts'
import { signedMessage, type Signer } from './certificate.ts'

type Ipa = {
  bundleId: string
  name: string
  version: string
  buildNumber: string
  minimumOs: string
  teamName: string
  teamId: string
  profile: { uuid: string; expiresAt: Date; devices: readonly string[] }
  icon: Buffer
  content: Buffer
  signer: Signer
}

const arm64 = 0x0100000c
const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const strings = (values: Record<string, string>): string =>
  Object.entries(values)
    .map(([key, value]) => `<key>${key}</key><string>${escape(value)}</string>`)
    .join('')

/** Returns an iOS application with an ad hoc provisioning profile. */
export function iosPackage({ icon, content, signer, profile, ...app }: Ipa): Buffer {
  const folder = `Payload/${app.name}.app/`
  const info = xmlPlist(
    `<dict>${strings({
      CFBundleIdentifier: app.bundleId,
      CFBundleName: app.name,
      CFBundleDisplayName: app.name,
      CFBundleExecutable: app.name,
      CFBundleVersion: app.buildNumber,
      CFBundleShortVersionString: app.version,
      MinimumOSVersion: app.minimumOs,
    })}<key>CFBundleIcons</key><dict><key>CFBundlePrimaryIcon</key><dict>
    <key>CFBundleIconFiles</key><array><string>AppIcon60x60</string></array></dict></dict></dict>`,
  )
  const devices = profile.devices.map((device) => `<string>${device}</string>`).join('')
  const provisioning = xmlPlist(
    `<dict>${strings({ UUID: profile.uuid, TeamName: app.teamName })}
    <key>TeamIdentifier</key><array><string>${app.teamId}</string></array>
    <key>ExpirationDate</key><date>${profile.expiresAt.toISOString().replace(/\.\d+/, '')}</date>
    <key>Entitlements</key><dict><key>get-task-allow</key><false/></dict>
    <key>ProvisionedDevices</key><array>${devices}</array></dict>`,
  )
  return zipFile([
    { name: 'Payload/' },
    { name: folder },
    { name: `${folder}Info.plist`, data: info, isDeflated: true },
    {
      name: `${folder}embedded.mobileprovision`,
      data: signedMessage(Buffer.from(provisioning), signer),
      isDeflated: true,
    },
    { name: `${folder}AppIcon60x60@3x.png`, data: icon },
    { name: `${folder}${app.name}`, data: universalExecutable(arm64), isDeflated: true },
    { name: `${folder}Frameworks/Core.framework/Core`, data: content },
  ])
}
