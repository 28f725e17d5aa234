import assert from 'node:assert/strict'
import fc from 'fast-check'
import { command, labelName, which } from './command.ts'
import { newRef, pick, sameName } from './model.ts'
import { expect } from './real.ts'

const streamName = fc.constantFrom('default', 'Default', 'weekly', 'beta', 'Beta', 'store')

const createStream = command({
  name: 'create stream',
  given: streamName,
  async run(model, real, name) {
    const isTaken = model.streams.some((stream) => sameName(stream.name, name))
    const answer = expect(await real.send('POST', '/streams', { name }), isTaken ? 409 : 201)
    if (isTaken) return
    const stream = { ref: newRef(model), name }
    model.streams.push(stream)
    real.ids.set(stream.ref, answer.body.data.id)
  },
})

const deleteStream = command({
  name: 'delete stream',
  given: fc.record({ stream: which, moveTo: fc.option(which) }),
  can: ({ streams }) => streams.length > 1,
  async run(model, real, { stream: number, moveTo }) {
    const stream = pick(model.streams, number)
    const target = moveTo === null ? undefined : pick(model.streams, moveTo)
    const isHeld = [...model.builds, ...model.pending].some((held) => held.stream === stream.ref)
    const expected = target === stream ? 422 : target === undefined && isHeld ? 409 : 'success'
    const query = target === undefined ? '' : `?move_to=${encodeURIComponent(target.name)}`
    expect(await real.send('DELETE', `/streams/${real.id(stream.ref)}${query}`), expected)
    if (expected !== 'success') return
    model.streams = model.streams.filter((one) => one !== stream)
    for (const held of [...model.builds, ...model.pending])
      if (held.stream === stream.ref && target !== undefined) held.stream = target.ref
  },
})

const createLabel = command({
  name: 'create label',
  given: fc.record({ name: labelName, level: fc.constantFrom('application' as const, 'workspace' as const) }),
  async run(model, real, { name, level }) {
    const isTaken = model.labels.some((label) => label.level === level && sameName(label.name, name))
    const path = level === 'application' ? real.send : real.any
    const prefix = level === 'application' ? '/labels' : '/workspace/labels'
    const answer = expect(await path('POST', prefix, { name }), isTaken ? 409 : 201)
    if (isTaken) return
    const label = { ref: newRef(model), name, level }
    model.labels.push(label)
    real.ids.set(label.ref, answer.body.data.id)
  },
})

const deleteLabel = command({
  name: 'delete label',
  given: which,
  can: ({ labels }) => labels.length > 0,
  async run(model, real, number) {
    const label = pick(model.labels, number)
    const id = real.id(label.ref)
    const deleted =
      label.level === 'application'
        ? real.send('DELETE', `/labels/${id}`)
        : real.any('DELETE', `/workspace/labels/${id}`)
    expect(await deleted, 'success')
    model.labels = model.labels.filter((one) => one !== label)
    for (const carrier of [...model.builds, ...model.releases]) carrier.labels.delete(label.ref)
  },
})

const promoteLabel = command({
  name: 'promote label',
  given: which,
  can: ({ labels }) => labels.some(({ level }) => level === 'application'),
  async run(model, real, number) {
    const label = pick(
      model.labels.filter(({ level }) => level === 'application'),
      number,
    )
    const isTaken = model.labels.some(
      (other) => other.level === 'workspace' && sameName(other.name, label.name),
    )
    expect(await real.send('POST', `/labels/${real.id(label.ref)}/promote`, {}), isTaken ? 409 : 'success')
    if (!isTaken) label.level = 'workspace'
  },
})

const trashApplication = command({
  name: 'trash application',
  // most come back at once: what happens meanwhile is always 404
  given: fc.record({ stays: fc.constantFrom(true, false, false, false, false, false) }),
  async run(model, real, { stays }) {
    expect(await real.send('DELETE', ''), 'success')
    for (const path of ['', '/builds', '/streams']) expect(await real.send('GET', path), 404)
    if (!stays) expect(await real.send('POST', '/restore', {}), 'success')
    model.isTrashed = stays
  },
})

const restoreApplication = command({
  name: 'restore application',
  given: fc.constant(null),
  inTrash: true,
  async run(model, real) {
    expect(await real.send('POST', '/restore', {}), model.isTrashed ? 'success' : 409)
    model.isTrashed = false
  },
})

const restart = command({
  name: 'restart',
  given: fc.constant(null),
  inTrash: true,
  async run(_, real) {
    await real.restart()
    assert.equal((await real.any('GET', '/workspace')).status, 200)
  },
})

export const placeCommands = [
  createStream,
  createStream,
  deleteStream,
  createLabel,
  deleteLabel,
  promoteLabel,
  trashApplication,
  restoreApplication,
  restoreApplication,
]
export const restarts = [restart]
