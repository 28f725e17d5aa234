import { createApplicationApiKey } from './features/api-keys/create-application-api-key.ts'
import { createWorkspaceApiKey } from './features/api-keys/create-workspace-api-key.ts'
import { deleteApplicationApiKey } from './features/api-keys/delete-application-api-key.ts'
import { deleteWorkspaceApiKey } from './features/api-keys/delete-workspace-api-key.ts'
import { listApplicationApiKeys } from './features/api-keys/list-application-api-keys.ts'
import { listWorkspaceApiKeys } from './features/api-keys/list-workspace-api-keys.ts'
import { createApplication } from './features/applications/create-application.ts'
import { getApplication } from './features/applications/get-application.ts'
import { listApplications } from './features/applications/list-applications.ts'
import { getBuildDownload } from './features/builds/get-build-download.ts'
import { getBuild } from './features/builds/get-build.ts'
import { listBuilds } from './features/builds/list-builds.ts'
import { getLabel } from './features/labels/get-label.ts'
import { listLabels } from './features/labels/list-labels.ts'
import { getBuildMetadataDownload } from './features/metadata-artifacts/get-build-metadata-download.ts'
import { getBuildMetadata } from './features/metadata-artifacts/get-build-metadata.ts'
import { listBuildMetadata } from './features/metadata-artifacts/list-build-metadata.ts'
import { listArchitectures } from './features/platforms/list-architectures.ts'
import { listPlatforms } from './features/platforms/list-platforms.ts'
import { createDefaultStream } from './features/streams/create-default-stream.ts'
import { createStream } from './features/streams/create-stream.ts'
import { deleteDefaultStream } from './features/streams/delete-default-stream.ts'
import { deleteStream } from './features/streams/delete-stream.ts'
import { getStream } from './features/streams/get-stream.ts'
import { listDefaultStreams } from './features/streams/list-default-streams.ts'
import { listStreams } from './features/streams/list-streams.ts'
import { updateDefaultStream } from './features/streams/update-default-stream.ts'
import { updateStream } from './features/streams/update-stream.ts'
import { abortUpload } from './features/uploads/abort-upload.ts'
import { getUpload } from './features/uploads/get-upload.ts'
import { requestExpansionUploadPart } from './features/uploads/request-expansion-upload-part.ts'
import { requestMetadataUpload } from './features/uploads/request-metadata-upload.ts'
import { requestUploadPart } from './features/uploads/request-upload-part.ts'
import { requestUpload } from './features/uploads/request-upload.ts'
import { verifyMetadataUpload } from './features/uploads/verify-metadata-upload.ts'
import { verifyUpload } from './features/uploads/verify-upload.ts'
import { getWorkspace } from './features/workspace/get-workspace.ts'

/** Every endpoint, in the order of their URLs below /api/v1. The name is its operationId and its file. */
export const routes = {
  listApplications, // GET /applications
  createApplication, // POST /applications
  getApplication, // GET /applications/{application_id}
  listApplicationApiKeys, // GET /applications/{application_id}/api-keys
  createApplicationApiKey, // POST /applications/{application_id}/api-keys
  deleteApplicationApiKey, // DELETE /applications/{application_id}/api-keys/{api_key_id}
  listBuilds, // GET /applications/{application_id}/builds
  getBuild, // GET /applications/{application_id}/builds/{build_id}
  getBuildDownload, // GET /applications/{application_id}/builds/{build_id}/download
  listBuildMetadata, // GET /applications/{application_id}/builds/{build_id}/metadata
  getBuildMetadata, // GET /applications/{application_id}/builds/{build_id}/metadata/{artifact_id}
  getBuildMetadataDownload, // GET /applications/{application_id}/builds/{build_id}/metadata/{artifact_id}/download
  listLabels, // GET /applications/{application_id}/labels
  getLabel, // GET /applications/{application_id}/labels/{label_identifier}
  listPlatforms, // GET /applications/{application_id}/platforms
  listArchitectures, // GET /applications/{application_id}/platforms/{platform}/architectures
  listStreams, // GET /applications/{application_id}/streams
  createStream, // POST /applications/{application_id}/streams
  getStream, // GET /applications/{application_id}/streams/{stream_identifier}
  updateStream, // PATCH /applications/{application_id}/streams/{stream_identifier}
  deleteStream, // DELETE /applications/{application_id}/streams/{stream_identifier}
  abortUpload, // POST /upload/abort
  requestMetadataUpload, // POST /upload/metadata/request
  verifyMetadataUpload, // POST /upload/metadata/verify
  requestUpload, // POST /upload/request
  requestUploadPart, // POST /upload/request/multipart
  requestExpansionUploadPart, // POST /upload/request/multipart/expansion
  verifyUpload, // POST /upload/verify
  getUpload, // GET /upload/{pending_upload_id}
  getWorkspace, // GET /workspace
  listWorkspaceApiKeys, // GET /workspace/api-keys
  createWorkspaceApiKey, // POST /workspace/api-keys
  deleteWorkspaceApiKey, // DELETE /workspace/api-keys/{api_key_id}
  listDefaultStreams, // GET /workspace/default-streams
  createDefaultStream, // POST /workspace/default-streams
  updateDefaultStream, // PATCH /workspace/default-streams/{default_stream_id}
  deleteDefaultStream, // DELETE /workspace/default-streams/{default_stream_id}
}
