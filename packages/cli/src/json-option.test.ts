import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Command } from 'commander'
import { normalizeJsonOption } from './json-option.ts'

test('treats the word after --json as the field list unless it is a required argument', () => {
  const table: [string, string][] = [
    ['list', 'list'],
    ['list --json', 'list --json='],
    ['list --json id,stream.name', 'list --json=id,stream.name'],
    ['list --json=id', 'list --json=id'],
    ['list --json Bad!', 'list --json=Bad!'],
    ['list --json --output json', 'list --json= --output json'],
    ['list --output --json', 'list --output --json'],
    ['get --json latest', 'get --json= latest'],
    ['get --json id latest', 'get --json=id latest'],
    ['get latest --json id', 'get latest --json=id'],
    ['get --json app-1.2.3.apk', 'get --json= app-1.2.3.apk'],
    ['view --json id', 'view --json=id'],
    ['view --json My-App', 'view --json= My-App'],
    ['--json list', '--json= list'],
    ['--json id list', '--json=id list'],
    ['get -- --json', 'get -- --json'],
  ]
  for (const [args, normalized] of table)
    assert.equal(normalizeJsonOption(createProgram(), args.split(' ')).join(' '), normalized, args)
})

function createProgram(): Command {
  const program = new Command().option('--json [fields]')
  for (const usage of ['list', 'get <build>', 'view [application]'])
    program.command(usage).option('--json [fields]').option('-o, --output <path>')
  return program
}
