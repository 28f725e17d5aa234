import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../lib/problem.ts'
import { conflictsAs } from './conflicts.ts'

const violation = Object.assign(new Error('duplicate key'), { code: '23505', constraint: 'streams_name' })
const taken = () => new Problem('conflict', 'stream.name_taken', 'Taken.')

test('throws the Problem mapped to the violated constraint', async () => {
  const work = () => Promise.reject(violation)
  await assert.rejects(conflictsAs({ streams_name: taken }, work), { code: 'stream.name_taken' })
})

test('rethrows violations of unmapped constraints and all other errors unchanged', async () => {
  await assert.rejects(
    conflictsAs({ labels_name: taken }, () => Promise.reject(violation)),
    violation,
  )
  const other = new Error('broken')
  await assert.rejects(
    conflictsAs({ streams_name: taken }, () => Promise.reject(other)),
    other,
  )
  assert.equal(await conflictsAs({ streams_name: taken }, () => Promise.resolve(1)), 1)
})
