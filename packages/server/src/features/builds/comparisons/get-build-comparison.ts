import { Type } from 'typebox'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { one } from '../../../http/endpoint/responses.ts'
import {
  allChanges,
  compareFiles,
  comparisonParams,
  comparisonProblems,
  FileComparison,
  fileComparisonResource,
  requireFilePairsOfPath,
} from './comparison.ts'

const BuildComparison = Type.Object({ files: Type.Array(FileComparison) }, { title: 'BuildComparison' })

export const getBuildComparison = endpoint({
  method: 'GET',
  path: '/applications/:application_id/builds/:build_id/comparisons/:base_build_id',
  scope: { workspace: 'builds:read', application: 'builds:read' },
  summary: 'Compare two builds',
  description:
    'Compares the files of a build with those of an earlier build: the primary files with each other, and expansion files by their names without the version. Counts the entries of ZIP and tar archives that were added, removed, changed or renamed, with their bytes. The directories of ZIP archives are read, and not the content of their entries.',
  params: comparisonParams,
  returns: one(BuildComparison),
  refuses: comparisonProblems,
  load: requireFilePairsOfPath,
  async handle({ build, pairs, ...call }) {
    const files = []
    for (const pair of pairs) {
      const options = { query: allChanges, applicationId: build.application_id }
      files.push(fileComparisonResource(pair, await compareFiles(call, pair, options)))
    }
    return { message: 'Builds compared.', data: { files } }
  },
})
