import { connect } from 'node:net'

export type Said = {
  /** Everything that came back. */
  text: string
  /** Status of each answer in it. */
  statuses: number[]
  /** Body of the last answer. */
  body: string
  isClosed: boolean
}

type Options = {
  /** Ends our side once everything is sent. */
  endsAfter?: boolean
  /** Pauses before the second and each further piece. */
  pauseMs?: number
  /** Waits for this many answers, then hangs up; without it until the server does. */
  answers?: number
}

const patienceMs = 10_000

/** Sends bytes over a socket of their own; rejects when the server neither answers nor closes within 10 s. */
export function say(port: number, pieces: (string | Uint8Array)[], options: Options = {}): Promise<Said> {
  const { endsAfter = false, pauseMs = 0, answers = Infinity } = options
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    let text = ''
    const finish = (isClosed: boolean) => {
      clearTimeout(patience)
      socket.destroy()
      const statuses = [...text.matchAll(/(?:^|\r\n\r\n|\})HTTP\/1\.1 (\d{3}) /g)].map(([, code]) =>
        Number(code),
      )
      resolve({ text, statuses, body: text.slice(text.lastIndexOf('\r\n\r\n') + 4), isClosed })
    }
    const patience = setTimeout(() => {
      socket.destroy()
      reject(new Error(`the server hangs after ${JSON.stringify(text.slice(0, 200))}`))
    }, patienceMs)
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      const complete = text.split('HTTP/1.1 ').filter((answer) => isWhole(answer)).length
      if (complete >= answers) finish(false)
    })
    socket.on('error', () => finish(true))
    socket.on('end', () => finish(true))
    socket.on('close', () => finish(true))
    const next = (index: number) => {
      const piece = pieces[index]
      if (piece !== undefined) {
        socket.write(piece)
        setTimeout(() => next(index + 1), pauseMs)
      } else if (endsAfter) socket.end()
    }
    next(0)
  })
}

function isWhole(answer: string): boolean {
  const end = answer.indexOf('\r\n\r\n')
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(answer)?.[1] ?? 0)
  return end >= 0 && answer.length - end - 4 >= length
}
