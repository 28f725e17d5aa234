import { bodyExample, quote, withVariables, type ExampleRequest, type Schema } from './reference-example.ts'

/** The command that does the same as an operation, for the operations that have one. */
export const cliCommands: Readonly<Record<string, string>> = {
  addReleaseBuild: 'releases add $RELEASE_ID $BUILD_ID',
  createApplication: 'applications create "My App" --platform linux',
  createApplicationApiKey: 'keys create ci --scope builds:create --expires 90d',
  createApplicationMember: 'members invite ada@example.com --role developer',
  createBuildShareLink: 'share $BUILD_ID --expires 7d',
  createInvitation: 'members invite ada@example.com --role member --workspace',
  createLabel: 'labels create approved --color "#30a46c"',
  createRelease: 'releases create 1.2.3 --title "Spring release" --build $BUILD_ID',
  createReleaseShareLink: 'share --release $RELEASE_ID --expires 7d',
  createStream: 'streams create beta --retention 30',
  createWebhook: 'webhooks create https://example.com/hook --event build.created',
  createWorkspaceApiKey: 'keys create ci --scope builds:create --expires 90d --workspace',
  createWorkspaceLabel: 'labels create approved --workspace',
  deleteApplication: 'applications delete $APPLICATION_ID',
  deleteApplicationApiKey: 'keys revoke $API_KEY_ID',
  deleteApplicationMember: 'members remove ada@example.com',
  deleteBuild: 'builds delete $BUILD_ID',
  deleteLabel: 'labels delete $LABEL_IDENTIFIER',
  deleteRelease: 'releases delete $RELEASE_ID',
  deleteShareLink: 'share revoke $SHARE_LINK_ID',
  deleteStream: 'streams delete $STREAM_IDENTIFIER',
  deleteWebhook: 'webhooks delete $WEBHOOK_ID',
  deleteWorkspaceApiKey: 'keys revoke $API_KEY_ID --workspace',
  deleteWorkspaceLabel: 'labels delete $LABEL_IDENTIFIER --workspace',
  deleteWorkspaceMember: 'members remove ada@example.com --workspace',
  getApplication: 'applications view $APPLICATION_ID',
  getBuild: 'builds view $BUILD_ID',
  getBuildDownload: 'builds download $BUILD_ID',
  getBuildFile: 'builds download $BUILD_ID',
  getRelease: 'releases view $RELEASE_ID',
  getStream: 'streams view $STREAM_IDENTIFIER',
  getWebhook: 'webhooks view $WEBHOOK_ID',
  listApplicationApiKeys: 'keys list',
  listApplicationMembers: 'members list',
  listApplications: 'applications list',
  listAuditLog: 'audit list',
  listBuilds: 'builds list',
  listBuildShareLinks: 'share list $BUILD_ID',
  listLabels: 'labels list',
  listPlatforms: 'platforms list',
  listReleases: 'releases list',
  listReleaseShareLinks: 'share list --release $RELEASE_ID',
  listStreams: 'streams list',
  listWebhookRequests: 'webhooks deliveries $WEBHOOK_ID',
  listWebhooks: 'webhooks list',
  listWorkspaceApiKeys: 'keys list --workspace',
  listWorkspaceLabels: 'labels list --workspace',
  listWorkspaceMembers: 'members list --workspace',
  moveBuild: 'builds move $BUILD_ID stable',
  promoteLabel: 'labels promote $LABEL_IDENTIFIER',
  publishRelease: 'releases publish $RELEASE_ID',
  redeliverWebhookRequest: 'webhooks redeliver $WEBHOOK_ID $WEBHOOK_REQUEST_ID',
  redeliverWebhookRequests: 'webhooks redeliver $WEBHOOK_ID --failed --since 12h',
  removeReleaseBuild: 'releases remove $RELEASE_ID $BUILD_ID',
  replaceBuildLabels: 'builds label $BUILD_ID --add approved',
  replacePlatforms: 'platforms add android ios',
  requestUpload: 'upload app-1.2.3.apk --stream nightlies',
  restoreApplication: 'applications restore $APPLICATION_ID',
  restoreBuild: 'builds restore $BUILD_ID',
  scheduleRelease: 'releases schedule $RELEASE_ID --at 2027-01-31T12:00:00Z',
  testWebhook: 'webhooks test $WEBHOOK_ID',
  updateApplication: 'applications edit $APPLICATION_ID --name "My Game"',
  updateBuild: 'builds edit $BUILD_ID --keep-forever',
  updateLabel: 'labels edit $LABEL_IDENTIFIER --name released',
  updateRelease: 'releases edit $RELEASE_ID --title "Summer update"',
  updateStream: 'streams edit $STREAM_IDENTIFIER --retention 14',
  updateWebhook: 'webhooks edit $WEBHOOK_ID --no-active',
  updateWorkspaceLabel: 'labels edit $LABEL_IDENTIFIER --name released --workspace',
  verifyUpload: 'upload app-1.2.3.apk --stream nightlies',
  watchEvents: 'builds watch',
  withdrawRelease: 'releases withdraw $RELEASE_ID',
}

/** Returns the command that does the same as the operation, or `quayside api` with the request. */
export function cliExample(
  { operationId, method, path, body }: ExampleRequest & { operationId: string },
  resolve: (schema: Schema) => Schema,
): string {
  const command = cliCommands[operationId]
  if (command !== undefined) {
    const needsApplication = path.includes('{application_id}') && !command.includes('$APPLICATION_ID')
    return `quayside ${command}${needsApplication ? ' \\\n  --application $APPLICATION_ID' : ''}`
  }
  const request = `quayside api ${method.toUpperCase()} "${withVariables(path)}"`
  if (body === undefined) return request
  const fields = Object.entries(bodyExample(resolve(body), resolve) ?? {}) as [string, unknown][]
  if (fields.every(([, value]) => ['string', 'number', 'boolean'].includes(typeof value)))
    return [request, ...fields.map(([name, value]) => fieldOption(name, value))].join(' \\\n  ')
  return `echo ${quote(JSON.stringify(Object.fromEntries(fields)))} |\n  ${request} --input -`
}

/** Returns the option for a field. `--field` would convert text such as `1` to a number. */
const fieldOption = (name: string, value: unknown): string =>
  `${typeof value === 'string' ? '--raw-field' : '--field'} ${quote(`${name}=${String(value)}`)}`
