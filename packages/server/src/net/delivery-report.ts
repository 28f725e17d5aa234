/** What a mail server reports about an email that it could not deliver (RFC 3464). */
export type DeliveryReport = {
  /** The addresses to which the report was sent, which contain the return path of the email. */
  recipients: string[]
  /** The permanent failure; undefined if the delivery succeeded, is only delayed, or the message is not a report. */
  failure: { status: string; reason: string } | undefined
}

const maxReasonLength = 300

/** Reads a delivery status notification as mail servers send it. Never throws. */
export function readDeliveryReport(message: string): DeliveryReport {
  const text = message.replaceAll('\r\n', '\n')
  const end = text.indexOf('\n\n')
  const head = fieldsOf(end < 0 ? text : text.slice(0, end))
  const recipients = ['delivered-to', 'x-original-to', 'to'].flatMap((name) =>
    (head.get(name) ?? []).flatMap((value) => value.match(/[^\s<>,;"]+@[^\s<>,;"]+/g) ?? []),
  )
  const [type = ''] = head.get('content-type') ?? []
  const [, quoted, plain] = /boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? []
  const boundary = quoted ?? plain
  const isReport = /^multipart\/report/i.test(type) && boundary !== undefined
  return { recipients, failure: isReport ? findFailure(text, boundary) : undefined }
}

function findFailure(text: string, boundary: string): DeliveryReport['failure'] {
  for (const part of text.split(`\n--${boundary}`)) {
    const end = part.indexOf('\n\n', 1)
    if (end < 0 || !/^content-type:\s*message\/(global-)?delivery-status/im.test(part.slice(0, end))) continue
    // The first group describes the message, each other group one recipient.
    for (const group of part.slice(end + 2).split(/\n{2,}/)) {
      const fields = fieldsOf(group)
      const [status = ''] = fields.get('status')?.[0]?.match(/^5\.\d{1,3}\.\d{1,3}/) ?? []
      if (fields.get('action')?.[0]?.toLowerCase() !== 'failed' || status === '') continue
      const diagnostic = fields.get('diagnostic-code')?.[0]?.replace(/^[\w-]+;\s*/, '')
      return { status, reason: (diagnostic ?? `status ${status}`).slice(0, maxReasonLength) }
    }
  }
  return undefined
}

/** Returns the values of header fields by lowercase name. Folded lines are joined. */
function fieldsOf(text: string): Map<string, string[]> {
  const fields = new Map<string, string[]>()
  for (const line of text.replaceAll(/\n[ \t]+/g, ' ').split('\n')) {
    const colon = line.indexOf(':')
    if (colon <= 0) continue
    const name = line.slice(0, colon).toLowerCase()
    fields.set(name, [...(fields.get(name) ?? []), line.slice(colon + 1).trim()])
  }
  return fields
}

/**
 * Returns whether an enhanced status code says that the address is the problem (RFC 3463): its subject is the address
 * or the mailbox, or it has none. The others concern the message, the servers or their policy, such as spam.
 */
export const isAddressFailure = (status: string): boolean => /^5\.[012]\./.test(status)
