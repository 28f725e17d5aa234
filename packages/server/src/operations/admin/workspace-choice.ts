import type { Executor } from '../../database/transaction.ts'
import { problem } from '../../lib/problem.ts'
import { findWorkspaceOfApplication, listWorkspaces } from '../import/import.db.ts'

/** Returns the ID of the workspace that was named, or of the only one. */
export async function requireWorkspace(db: Executor, named: string | undefined): Promise<string> {
  const workspaces = await listWorkspaces(db)
  const found = named === undefined ? workspaces[0] : workspaces.find(({ id }) => id === named)
  const list = workspaces.map(({ id, name }) => `${id} (${name})`).join(', ')
  if (found === undefined) throw named === undefined ? noWorkspace() : unknownWorkspace({ id: named, list })
  if (named === undefined && workspaces.length > 1) throw severalWorkspaces({ list })
  return found.id
}

const noWorkspace = problem(
  'not_found',
  'workspace.not_found',
  'The database contains no workspace. Start the server once, and try again.',
)

const unknownWorkspace = problem(
  'not_found',
  'workspace.not_found',
  'Workspace {id} does not exist. Choose one of: {list}.',
)

const severalWorkspaces = problem(
  'invalid',
  'config.invalid',
  'The server has several workspaces. Choose one with --workspace: {list}.',
)

export async function requireApplicationWorkspace(db: Executor, applicationId: string): Promise<string> {
  const workspaceId = await findWorkspaceOfApplication(db, applicationId)
  if (workspaceId !== undefined) return workspaceId
  throw applicationNotFound({ id: applicationId })
}

const applicationNotFound = problem('not_found', 'application.not_found', 'Application {id} does not exist.')
