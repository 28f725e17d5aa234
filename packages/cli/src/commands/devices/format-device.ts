import type { Device } from '@quayside/sdk'
import { formatFields } from '../../output/format.ts'

/** Formats a device as a list of fields. */
export const formatDevice = (device: Device): string =>
  formatFields([
    ['Device', device.id],
    ['Name', device.name],
    ['UDID', device.udid],
    ['Platform', device.platform],
    ['Product', device.product_name ?? device.product],
    ['Email', device.email],
    ['Added', device.created_at],
  ])
