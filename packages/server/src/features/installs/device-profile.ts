import { randomUUID } from 'node:crypto'
import { textOf } from '../../inspection/apple/plist-value.ts'
import { readPlist } from '../../inspection/apple/plist.ts'
import { InspectionError } from '../../inspection/inspection.ts'
import { contentOf, readSignedData } from '../../inspection/signatures/signed-data.ts'
import { problem } from '../../lib/problem.ts'
import { parseUdid } from '../devices/device.ts'
import { writePlist } from './plist.ts'

type ProfileText = { title: string; description: string }

/** Returns a profile that makes an iPhone or iPad send its identifier to the URL (Apple, *Over-the-Air Profile Delivery*). */
export function deviceProfile(
  { url, challenge, organization }: { url: string; challenge: string; organization: string },
  { title, description }: ProfileText,
): Buffer {
  const uuid = randomUUID()
  return writePlist({
    PayloadContent: { URL: url, DeviceAttributes: ['UDID', 'PRODUCT', 'VERSION'], Challenge: challenge },
    PayloadDescription: description,
    PayloadDisplayName: title,
    PayloadIdentifier: `quayside.device.${uuid}`,
    PayloadOrganization: organization,
    PayloadType: 'Profile Service',
    PayloadUUID: uuid,
    PayloadVersion: 1,
  })
}

export type DeviceResponse = {
  udid: string
  product: string | null
  osVersion: string | null
  challenge: string | null
}

const unreadable = problem(
  'bad_request',
  'device.unreadable_response',
  'The body must be the signed response of a device to a profile.',
)

const damaged = 'The response of the device is damaged.'

/**
 * Reads what a device sends: a signed property list. The signature is not verified, because it would only prove that some
 * device has created it; the challenge connects the response with the profile.
 */
export function readDeviceResponse(body: Buffer): DeviceResponse {
  const plist = readSignedPlist(body)
  const udid = parseUdid(textOf(plist, 'UDID') ?? '')
  if (udid === undefined) throw unreadable()
  return {
    udid,
    product: reported(textOf(plist, 'PRODUCT')),
    osVersion: reported(textOf(plist, 'VERSION')),
    challenge: textOf(plist, 'CHALLENGE'),
  }
}

function readSignedPlist(body: Buffer) {
  try {
    const content = contentOf(readSignedData(body, damaged))
    if (content === null) throw unreadable()
    return readPlist(content)
  } catch (error) {
    if (error instanceof InspectionError || error instanceof RangeError) throw unreadable({ cause: error })
    throw error
  }
}

const reportedFormat = /^[\w,.-]{1,40}$/

const reported = (text: string | null): string | null =>
  text !== null && reportedFormat.test(text) ? text : null
