import { Type, type Static } from 'typebox'
import { appleProductName } from '../../catalog/apple-products.ts'
import type { Tx } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import { changesOf } from '../../http/endpoint/changes.ts'
import { emailPattern, name, Nullable, PathId, Timestamp } from '../../http/endpoint/fields.ts'
import { shortId } from '../../lib/ids.ts'
import { problem } from '../../lib/problem.ts'
import {
  countDevices,
  findLockedDeviceByUdid,
  insertDevice,
  saveDevice,
  type DeviceRow,
} from './device.db.ts'

// Devices with an A12 processor or newer have identifiers of the second form.
const udidFormats: readonly [RegExp, (text: string) => string][] = [
  [/^[0-9a-f]{40}$/i, (text) => text.toLowerCase()],
  [/^[0-9a-f]{8}-[0-9a-f]{16}$/i, (text) => text.toUpperCase()],
]

/** Returns a device identifier (UDID) as Apple writes it, or undefined if the text is not one. */
export function parseUdid(text: string): string | undefined {
  const trimmed = text.trim()
  return udidFormats.find(([format]) => format.test(trimmed))?.[1](trimmed)
}

const udidPattern = '^(?:[0-9a-fA-F]{40}|[0-9a-fA-F]{8}-[0-9a-fA-F]{16})$'

export const devicePlatforms = ['ios', 'macos', 'tvos', 'visionos', 'watchos'] as const
export const deviceSources = ['api', 'console', 'share-link', 'distribution-group', 'portal'] as const

export type DevicePlatform = (typeof devicePlatforms)[number]
export type DeviceSource = (typeof deviceSources)[number]

const platform = Type.Enum([...devicePlatforms], { description: '`ios` includes iPads.' })

export const Device = Type.Object(
  {
    id: Type.String(),
    udid: Type.String({ description: 'Identifier that a provisioning profile lists.' }),
    name: Type.String(),
    platform,
    product: Nullable(
      Type.String({ description: 'Product type that the device reported, such as `iPhone16,2`.' }),
    ),
    product_name: Nullable(Type.String({ description: 'Name of the product; `null` if it is unknown.' })),
    os_version: Nullable(
      Type.String({ description: 'Build of the system that the device reported, such as `22A3354`.' }),
    ),
    source: Type.Enum([...deviceSources], { description: 'How the device was registered.' }),
    share_link_id: Nullable(Type.String()),
    distribution_group_id: Nullable(Type.String()),
    portal_id: Nullable(Type.String()),
    email: Nullable(
      Type.String({
        description:
          'Email address of the person with whom the device was registered. `null` for keys without `members:read`.',
      }),
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Device' },
)
export type Device = Static<typeof Device>

const DeviceId = PathId('ID of the device.')
export const deviceParams = Type.Object({ device_id: DeviceId })

export const NewDevice = Type.Object({
  udid: Type.String({
    pattern: udidPattern,
    patternMessage:
      'must have 40 hexadecimal digits, or 8 and 16 hexadecimal digits with a hyphen between them.',
    examples: ['00008030-001A2B3C4D5E6F70'],
    description: '40 hexadecimal digits, or 8 and 16 with a hyphen. Letter case does not matter.',
  }),
  name: name(50, 'Name of the device, as Apple lists it.'),
  platform: Type.Optional(Type.Enum([...devicePlatforms], { default: 'ios' })),
  email: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 254,
        pattern: emailPattern,
        description: 'Email address of the person who uses it.',
      }),
    ),
  ),
})

export const DeviceChanges = changesOf({
  name: NewDevice.properties.name,
  email: NewDevice.properties.email,
})

declare module '../../events/catalogue.ts' {
  interface EventResources {
    device: Device
  }
}

/** Returns a device for a caller, who sees email addresses only with `members:read`. */
export const deviceResource = (row: DeviceRow, { scopes }: Pick<Actor, 'scopes'>): Device =>
  fullDeviceResource(scopes.has('members:read') ? row : { ...row, email: null })

/** Returns a device as events contain it. */
const eventDevice = (row: DeviceRow): Device => fullDeviceResource({ ...row, email: null })

function fullDeviceResource({ workspace_id: _, ...row }: DeviceRow): Device {
  return {
    ...row,
    platform: row.platform as DevicePlatform,
    source: row.source as DeviceSource,
    product_name: appleProductName(row.product),
  }
}

export const deviceAuditSnapshot = ({ udid, name, platform, product, email }: DeviceRow) => ({
  udid,
  name,
  platform,
  product,
  email,
})

export const deviceExists = problem(
  'conflict',
  'device.exists',
  'This device is already registered in the workspace.',
)

export const maxDevices = 10_000

export const tooManyDevices = problem(
  'conflict',
  'device.too_many',
  'The workspace has the maximum number of {count} devices. Delete devices that are no longer used.',
)

/** What a visitor of a link registers. */
export type DeviceRegistration = {
  workspaceId: string
  /** The application whose webhooks are notified. */
  applicationId: string
  udid: string
  product: string | null
  osVersion: string | null
  source: 'share-link' | 'distribution-group' | 'portal'
  share_link_id: string | null
  distribution_group_id: string | null
  portal_id: string | null
  email: string | null
}

const platformOf = (product: string | null): DevicePlatform =>
  product?.startsWith('AppleTV') === true ? 'tvos' : 'ios'

/**
 * Registers a device on behalf of a visitor, or updates what a registered device reports. Throws 409 if the workspace has
 * too many devices. Wrap the transaction in `conflictsAs` with `devices_udid`.
 */
export async function registerDevice(
  tx: Tx,
  { address }: { address: string | null },
  { workspaceId, applicationId, udid, product, osVersion, ...origin }: DeviceRegistration,
): Promise<void> {
  const known = await findLockedDeviceByUdid(tx, workspaceId, udid)
  if (known !== undefined) {
    if (product !== null) await saveDevice(tx, known.id, { product, os_version: osVersion })
    return
  }
  if ((await countDevices(tx, workspaceId)) >= maxDevices) throw tooManyDevices({ count: maxDevices })
  const device = await insertDevice(tx, {
    id: shortId(10),
    workspace_id: workspaceId,
    udid,
    // The team can change the name.
    name: appleProductName(product) ?? product ?? 'iPhone or iPad',
    platform: platformOf(product),
    product,
    os_version: osVersion,
    ...origin,
  })
  const actor = { via: 'system', id: null, name: 'Device registration', workspaceId } as const
  await recordEvent(
    tx,
    { actor, address },
    {
      action: 'device.registered',
      applicationId,
      subject: { type: 'device', id: device.id },
      after: deviceAuditSnapshot(device),
      events: [{ name: 'device.registered', data: { device: eventDevice(device) } }],
    },
  )
}
