import assert from 'node:assert/strict'
import fc from 'fast-check'
import { command, labelName, anyIndex } from './command.ts'
import { newRef, pick, sameName } from './model.ts'
import { expect } from './real.ts'

const streamName = fc.constantFrom('default', 'Default', 'weekly', 'beta', 'Beta', 'store')

const createStream = command({
  name: 'create stream',
  input: streamName,
  async run(model, real, name) {
    const isTaken = model.streams.some((stream) => sameName(stream.name, name))
    const response = expect(await real.send('POST', '/streams', { name }), isTaken ? 409 : 201)
    if (isTaken) return
    const stream = { ref: newRef(model), name }
    model.streams.push(stream)
    real.ids.set(stream.ref, response.body.data.id)
  },
})

const deleteStream = command({
  name: 'delete stream',
  input: fc.record({ stream: anyIndex, moveTo: fc.option(anyIndex) }),
  canRun: ({ streams }) => streams.length > 1,
  async run(model, real, { stream: number, moveTo }) {
    const stream = pick(model.streams, number)
    const target = moveTo === null ? undefined : pick(model.streams, moveTo)
    const isUsed = [...model.builds, ...model.pending].some((user) => user.stream === stream.ref)
    const expected = target === stream ? 422 : target === undefined && isUsed ? 409 : 'success'
    const query = target === undefined ? '' : `?move_to=${encodeURIComponent(target.name)}`
    expect(await real.send('DELETE', `/streams/${real.id(stream.ref)}${query}`), expected)
    if (expected !== 'success') return
    model.streams = model.streams.filter((one) => one !== stream)
    for (const user of [...model.builds, ...model.pending])
      if (user.stream === stream.ref && target !== undefined) user.stream = target.ref
  },
})

const createLabel = command({
  name: 'create label',
  input: fc.record({ name: labelName, level: fc.constantFrom('application' as const, 'workspace' as const) }),
  async run(model, real, { name, level }) {
    const isTaken = model.labels.some((label) => label.level === level && sameName(label.name, name))
    const send = level === 'application' ? real.send : real.call
    const path = level === 'application' ? '/labels' : '/workspace/labels'
    const response = expect(await send('POST', path, { name }), isTaken ? 409 : 201)
    if (isTaken) return
    const label = { ref: newRef(model), name, level }
    model.labels.push(label)
    real.ids.set(label.ref, response.body.data.id)
  },
})

const deleteLabel = command({
  name: 'delete label',
  input: anyIndex,
  canRun: ({ labels }) => labels.length > 0,
  async run(model, real, number) {
    const label = pick(model.labels, number)
    const id = real.id(label.ref)
    const deleted =
      label.level === 'application'
        ? real.send('DELETE', `/labels/${id}`)
        : real.call('DELETE', `/workspace/labels/${id}`)
    expect(await deleted, 'success')
    model.labels = model.labels.filter((one) => one !== label)
    for (const labeled of [...model.builds, ...model.releases]) labeled.labels.delete(label.ref)
  },
})

const promoteLabel = command({
  name: 'promote label',
  input: anyIndex,
  canRun: ({ labels }) => labels.some(({ level }) => level === 'application'),
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
  // The application is usually restored immediately, because all calls to it return 404 while it is in the trash.
  input: fc.record({ staysTrashed: fc.constantFrom(true, false, false, false, false, false) }),
  async run(model, real, { staysTrashed }) {
    expect(await real.send('DELETE', ''), 'success')
    for (const path of ['', '/builds', '/streams']) expect(await real.send('GET', path), 404)
    if (!staysTrashed) expect(await real.send('POST', '/restore', {}), 'success')
    model.isTrashed = staysTrashed
  },
})

const restoreApplication = command({
  name: 'restore application',
  input: fc.constant(null),
  inTrash: true,
  async run(model, real) {
    expect(await real.send('POST', '/restore', {}), model.isTrashed ? 'success' : 409)
    model.isTrashed = false
  },
})

const restart = command({
  name: 'restart',
  input: fc.constant(null),
  inTrash: true,
  async run(_, real) {
    await real.restart()
    assert.equal((await real.call('GET', '/workspace')).status, 200)
  },
})

export const applicationCommands = [
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
