import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { arrange } from './schema/arrange.ts'
import { boxesOf } from './schema/boxes.ts'
import { readMigrations } from './schema/read-migrations.ts'
import { svgOf } from './schema/svg.ts'

const root = path.resolve(import.meta.dirname, '..')
const file = path.join(root, 'docs/schema.svg')
const drawing = svgOf(arrange(boxesOf(await readMigrations(path.join(root, 'packages/server/migrations')))))

if (!process.argv.includes('--check')) await writeFile(file, drawing)
else if ((await readFile(file, 'utf8').catch(() => '')) !== drawing) {
  process.stderr.write('docs/schema.svg is not what the migrations say: run node scripts/draw-schema.ts\n')
  process.exitCode = 1
}
