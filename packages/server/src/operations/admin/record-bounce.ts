import { text as readText } from 'node:stream/consumers'
import { inTransaction } from '../../database/transaction.ts'
import { recordBounce } from '../../features/distribution-groups/bounce.ts'
import { findMail } from '../../features/mails/mail.db.ts'
import { isAddressFailure, readDeliveryReport } from '../../net/delivery-report.ts'
import { mailIdOf } from '../../net/return-path.ts'
import { prepareMasterSecret } from '../../start/master-secret.ts'
import { adminCommand } from './command.ts'
import { openInstallation } from './data-access.ts'

export const recordBounceCommand = adminCommand({
  name: 'record-bounce',
  summary: 'record the delivery report of a mail server that is passed on standard input',
  description: `Read a delivery report (RFC 3464) from standard input and record that the address of a group member was rejected.
Let your mail server pipe emails to QUAYSIDE_MAIL_BOUNCE_ADDRESS to this command. Other messages, reports about delays
and reports with a return path that this installation did not create are ignored, with exit code 0.`,
  parameters: [],
  options: {
    recipient: {
      value: '<address>',
      description: 'the address to which the report was sent; by default, read from its headers',
    },
  },
  examples: ['quayside-server admin record-bounce --recipient "$ORIGINAL_RECIPIENT" < report.eml'],
  async run({ config: settings, options, terminal, log, closers }) {
    const { recipients, failure } = readDeliveryReport(await readText(process.stdin))
    if (failure === undefined || !isAddressFailure(failure.status)) {
      terminal.print('Ignored: the message does not report that an address was rejected.')
      return 0
    }
    const { config, db } = await openInstallation(settings, { log, closers })
    const { secretBox } = await prepareMasterSecret({ db, dataDir: config.dataDir, config, log })
    const paths = options.recipient === undefined ? recipients : [options.recipient]
    const id = paths.map((path) => mailIdOf(secretBox, path)).find((found) => found !== undefined)
    const mail = id === undefined ? undefined : await findMail(db, id)
    if (mail === undefined) {
      terminal.print('Ignored: no email of this installation has this return path.')
      return 0
    }
    const { workspace_id: workspaceId, recipient: address } = mail
    await inTransaction(db, (tx) => recordBounce(tx, { workspaceId, address, reason: failure.reason }))
    terminal.print('Recorded.')
    return 0
  },
})
