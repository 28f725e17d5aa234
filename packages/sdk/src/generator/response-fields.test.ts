import assert from 'node:assert/strict'
import { test } from 'node:test'
import { responseFieldsSource } from './response-fields.ts'

const json = (schema: object) => ({ '200': { content: { 'application/json': { schema } } } })
const scalar = { type: 'string' }
const stream = { type: 'object', properties: { id: scalar, owner: { $ref: '#/components/schemas/user' } } }

const source = responseFieldsSource({
  paths: {
    '/streams': {
      get: {
        operationId: 'listStreams',
        responses: json({
          type: 'object',
          properties: {
            message: scalar,
            data: { type: 'array', items: { $ref: '#/components/schemas/stream' } },
          },
        }),
      },
      post: {
        operationId: 'replaceStreams',
        responses: json({ type: 'object', properties: { data: { anyOf: [stream, { type: 'null' }] } } }),
      },
      patch: {
        operationId: 'mapStreams',
        responses: json({
          type: 'object',
          properties: { data: { type: 'object', additionalProperties: scalar } },
        }),
      },
      delete: { operationId: 'deleteStreams', responses: { '204': {} } },
      put: {
        operationId: 'auditStreams',
        responses: json({
          type: 'object',
          properties: { data: { anyOf: [{ description: 'Anything' }, { type: 'null' }] } },
        }),
      },
    },
  },
  components: { schemas: { stream, user: { type: ['object', 'null'], properties: { name: scalar } } } },
})

test('lists the fields of the data of each response', () => {
  const fields = JSON.parse(/responseFields.*? = (\{.*\})$/m.exec(source)?.[1] ?? '') as object
  assert.deepEqual(fields, {
    listStreams: 'Stream',
    auditStreams: true,
    replaceStreams: { id: false, owner: 'User' },
    mapStreams: true,
    deleteStreams: false,
  })
})

test('lists the fields of each schema', () => {
  const fields = JSON.parse(/schemaFields.*? = (\{.*\})$/m.exec(source)?.[1] ?? '') as object
  assert.deepEqual(fields, { Stream: { id: false, owner: 'User' }, User: { name: false } })
})
