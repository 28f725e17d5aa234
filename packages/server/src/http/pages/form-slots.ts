import type { FastifyReply, FastifyRequest } from 'fastify'
import { problem } from '../../lib/problem.ts'
import { malformedRequest } from '../wire/errors.ts'

// A form with files is in memory while it is read, so only a few are read at a time.
const maxForms = 6
const maxFormsOfNetwork = 2
const retryAfterSeconds = 5

export type FormSlots = ReturnType<typeof createFormSlots>

/** Limits how many forms with files the process reads at a time. */
export function createFormSlots() {
  const networks = new Map<string, number>()
  let total = 0
  return {
    /** Occupies a slot until the response ends. Throws 503 if no slot is free, and 400 if the client is gone. */
    occupy(request: FastifyRequest, reply: FastifyReply): void {
      // A closed response emits no event that would free the slot.
      if (reply.raw.closed) throw malformedRequest()
      const { network } = request.client
      const used = networks.get(network) ?? 0
      if (total >= maxForms || used >= maxFormsOfNetwork) throw tooManyForms({ retryAfterSeconds })
      total++
      networks.set(network, used + 1)
      reply.raw.once('close', () => {
        total--
        const left = (networks.get(network) ?? 1) - 1
        if (left === 0) networks.delete(network)
        else networks.set(network, left)
      })
    },
  }
}

const tooManyForms = problem(
  'unavailable',
  'request.too_many_forms',
  'Other forms are being received. Try again in a few seconds.',
)
