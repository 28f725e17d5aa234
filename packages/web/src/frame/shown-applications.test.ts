import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inSwitcherOrder } from './palette/switcher-order.ts'
import { shownApplications } from './shown-applications.ts'

const named = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `a${index + 1}` }))
const ids = (applications: { id: string }[]) => applications.map(({ id }) => id).join(' ')
const none = { applicationIds: [], views: [] }
const options = { pins: none, recentIds: [], openId: undefined }

test('lists pinned applications first and all others by name if there are few', () => {
  const pins = { ...none, applicationIds: ['a3', 'gone', 'a1'] }
  assert.equal(ids(shownApplications({ ...options, applications: named(4), pins })), 'a3 a1 a2 a4')
})

test('lists pinned, recent and open applications if there are many', () => {
  const applications = named(200)
  const pins = { applicationIds: ['a9', 'a2'], views: [{ application_id: 'a70' }] }
  const recentIds = ['a2', 'a50', 'a40', 'a30', 'a20', 'a10', 'a60']
  assert.equal(
    ids(shownApplications({ applications, pins, recentIds, openId: 'a199' })),
    'a9 a2 a10 a20 a30 a40 a50 a70 a199',
  )
  assert.equal(ids(shownApplications({ ...options, applications })), 'a1 a2 a3 a4 a5')
})

test('orders all applications by pins, recent use and name in the switcher', () => {
  const pins = { ...none, applicationIds: ['a4'] }
  assert.equal(
    ids(inSwitcherOrder({ applications: named(5), pins, recentIds: ['a5', 'a4', 'a2'], openId: 'a5' })),
    'a4 a2 a1 a3 a5',
  )
})
