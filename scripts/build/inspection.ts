import { join } from 'node:path'
import { buildProgram } from './program.ts'

const entry = join(import.meta.dirname, '../../packages/server/src/inspection/inspection.process.ts')

/**
 * Builds the program that inspects a file as a single file. The server starts it for each file, and loading its modules
 * one by one takes three times the CPU time.
 */
export const buildInspection = (folder: string): Promise<void> =>
  buildProgram(folder, { entry, name: 'inspection.mjs', target: 'node24' })
