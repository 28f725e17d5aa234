import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sdkSource } from './source.ts'

const parameter = { name: 'application_id', in: 'path', required: true, schema: { type: 'string' } }
const ok = { '200': { content: { 'application/json': { schema: { type: 'object' } } } } }

test('generates the types of an operation and its entry in the operations table', () => {
  const text = sdkSource({
    servers: [{ url: 'https://builds.example.com/api/v1/' }],
    paths: {
      '/applications/{application_id}/streams': {
        parameters: [{ $ref: '#/components/parameters/Application' }],
        post: {
          operationId: 'createStream',
          summary: 'Create a stream',
          parameters: [
            { name: 'dry', in: 'query', schema: { type: 'boolean' } },
            { name: 'x-a', in: 'header' },
          ],
          requestBody: { required: true, content: { 'application/json': { schema: { type: 'string' } } } },
          responses: { '201': ok['200'], '422': {} },
        },
      },
    },
    components: { parameters: { Application: parameter }, schemas: { Stream: { type: 'string' } } },
  })
  assert.match(text, /export type Stream = string/)
  assert.match(text, /type CreateStreamParams = \{ application_id: string; dry\?: boolean; body: string \}/)
  assert.match(text, /\/\*\* Create a stream \*\/\ncreateStream: \{/)
  assert.match(text, /path: '\/api\/v1\/applications\/\{application_id\}\/streams', query: \['dry'\]/)
})

test('types a text response as string and an empty response as void', () => {
  const text = sdkSource({
    paths: {
      '/a': { get: { operationId: 'readText', responses: { '200': { content: { 'text/csv': {} } } } } },
      '/b': { delete: { operationId: 'dropIt', responses: { '204': {} } } },
    },
  })
  assert.match(text, /ReadTextResponse = string/)
  assert.match(text, /DropItResponse = void/)
})

test('generates types for the events of a stream', () => {
  const schema = { type: 'string', 'x-events': { change: { type: 'object' }, end: { type: 'string' } } }
  const responses = { '200': { content: { 'text/event-stream': { schema } } } }
  const text = sdkSource({ paths: { '/a': { get: { operationId: 'watchIt', responses } } } })
  assert.match(text, /WatchItEvent = \{ event: 'change'; data: .*\} \| \{ event: 'end'; data: string \}/)
  assert.match(text, /watchIt: \{ params: WatchItParams; events: WatchItEvent \}/)
})

test('rejects a duplicate operationId', () => {
  const paths = {
    '/a': { get: { operationId: 'same', responses: ok } },
    '/b': { get: { operationId: 'same' } },
  }
  assert.throws(() => sdkSource({ paths }), /operationId same is used twice/)
})

test('rejects a parameter named body', () => {
  const get = { operationId: 'odd', parameters: [{ ...parameter, name: 'body' }], responses: ok }
  assert.throws(() => sdkSource({ paths: { '/a': { get } } }), /odd: parameter body conflicts/)
})
