import { createApplicationApiKey, createWorkspaceApiKey } from './features/api-keys/create-api-key.ts'
import { deleteApplicationApiKey, deleteWorkspaceApiKey } from './features/api-keys/delete-api-key.ts'
import { listApplicationApiKeys, listWorkspaceApiKeys } from './features/api-keys/list-api-keys.ts'
import { createApplication } from './features/applications/create-application.ts'
import { deleteApplicationIcon } from './features/applications/delete-application-icon.ts'
import { deleteApplication } from './features/applications/delete-application.ts'
import { getApplication } from './features/applications/get-application.ts'
import { listApplications } from './features/applications/list-applications.ts'
import { replaceApplicationIcon } from './features/applications/replace-application-icon.ts'
import { restoreApplication } from './features/applications/restore-application.ts'
import { updateApplication } from './features/applications/update-application.ts'
import { listAttention } from './features/attention/list-attention.ts'
import { getReleaseAdoption } from './features/audience/get-release-adoption.ts'
import { getReleaseAudience } from './features/audience/get-release-audience.ts'
import { listAuditLog } from './features/audit-log/list-audit-log.ts'
import { getAvatar } from './features/avatars/get-avatar.ts'
import { deleteBuildMetadata } from './features/builds/artifacts/delete-build-metadata.ts'
import { getBuildMetadataDownload } from './features/builds/artifacts/get-build-metadata-download.ts'
import { getBuildMetadata } from './features/builds/artifacts/get-build-metadata.ts'
import { listBuildMetadata } from './features/builds/artifacts/list-build-metadata.ts'
import { getFileChunks } from './features/builds/chunks/get-file-chunks.ts'
import { getBuildComparison } from './features/builds/comparisons/get-build-comparison.ts'
import { listEntryChanges } from './features/builds/comparisons/list-entry-changes.ts'
import { deleteBuild } from './features/builds/delete-build.ts'
import { createBuildDownloads } from './features/builds/files/create-build-downloads.ts'
import { getBuildDownload } from './features/builds/files/get-build-download.ts'
import { getBuildFile } from './features/builds/files/get-build-file.ts'
import { listBuildDownloads } from './features/builds/files/list-build-downloads.ts'
import { getBuild } from './features/builds/get-build.ts'
import { listBuildDebugIds } from './features/builds/inspection/list-debug-ids.ts'
import { listBuilds } from './features/builds/list-builds.ts'
import { moveBuild } from './features/builds/move-build.ts'
import { getPublicPatch } from './features/builds/patches/get-public-patch.ts'
import { listFilePatches } from './features/builds/patches/list-file-patches.ts'
import { replaceBuildArchitectures } from './features/builds/replace-build-architectures.ts'
import { replaceBuildLabels } from './features/builds/replace-build-labels.ts'
import { restoreBuild } from './features/builds/restore-build.ts'
import { updateBuild } from './features/builds/update-build.ts'
import { updateBuilds } from './features/builds/update-builds.ts'
import { createView } from './features/builds/views/create-view.ts'
import { deleteView } from './features/builds/views/delete-view.ts'
import { getView } from './features/builds/views/get-view.ts'
import { listViews } from './features/builds/views/list-views.ts'
import { restoreView } from './features/builds/views/restore-view.ts'
import { updateView } from './features/builds/views/update-view.ts'
import { listChanges } from './features/changes/list-changes.ts'
import { getChannelAdoption } from './features/channels/adoption/get-channel-adoption.ts'
import { createChannel } from './features/channels/create-channel.ts'
import { deleteChannel } from './features/channels/delete-channel.ts'
import { getChannelReadiness } from './features/channels/get-channel-readiness.ts'
import { getChannel } from './features/channels/get-channel.ts'
import { listChannels } from './features/channels/list-channels.ts'
import { createReadKey } from './features/channels/read-keys/create-read-key.ts'
import { deleteReadKey } from './features/channels/read-keys/delete-read-key.ts'
import { listReadKeys } from './features/channels/read-keys/list-read-keys.ts'
import { listRollouts } from './features/channels/rollouts/list-rollouts.ts'
import { updateRollout } from './features/channels/rollouts/update-rollout.ts'
import { updateChannel } from './features/channels/update-channel.ts'
import { deleteCustomStore } from './features/custom-stores/delete-custom-store.ts'
import { getCustomStore } from './features/custom-stores/get-custom-store.ts'
import { replaceCustomStore } from './features/custom-stores/replace-custom-store.ts'
import { testCustomStore } from './features/custom-stores/test-custom-store.ts'
import {
  createCustomTarget,
  createWorkspaceCustomTarget,
} from './features/custom-targets/create-custom-target.ts'
import {
  deleteCustomTargetIcon,
  deleteWorkspaceCustomTargetIcon,
} from './features/custom-targets/delete-custom-target-icon.ts'
import {
  deleteCustomTarget,
  deleteWorkspaceCustomTarget,
} from './features/custom-targets/delete-custom-target.ts'
import { getCustomTarget, getWorkspaceCustomTarget } from './features/custom-targets/get-custom-target.ts'
import {
  listCustomTargets,
  listWorkspaceCustomTargets,
} from './features/custom-targets/list-custom-targets.ts'
import { promoteCustomTarget } from './features/custom-targets/promote-custom-target.ts'
import {
  replaceCustomTargetIcon,
  replaceWorkspaceCustomTargetIcon,
} from './features/custom-targets/replace-custom-target-icon.ts'
import {
  updateCustomTarget,
  updateWorkspaceCustomTarget,
} from './features/custom-targets/update-custom-target.ts'
import { createDevice } from './features/devices/create-device.ts'
import { deleteDevice } from './features/devices/delete-device.ts'
import { exportDevices } from './features/devices/export-devices.ts'
import { getDevice } from './features/devices/get-device.ts'
import { listBuildDevices } from './features/devices/list-build-devices.ts'
import { listDeviceBuilds } from './features/devices/list-device-builds.ts'
import { listDevices } from './features/devices/list-devices.ts'
import { updateDevice } from './features/devices/update-device.ts'
import { addDistributionGroupRelease } from './features/distribution-groups/add-distribution-group-release.ts'
import { clearDistributionGroupMemberBounce } from './features/distribution-groups/clear-bounce.ts'
import { createDistributionGroupMembers } from './features/distribution-groups/create-distribution-group-members.ts'
import { createDistributionGroup } from './features/distribution-groups/create-distribution-group.ts'
import { deleteDistributionGroupMember } from './features/distribution-groups/delete-distribution-group-member.ts'
import { deleteDistributionGroup } from './features/distribution-groups/delete-distribution-group.ts'
import { getDistributionGroup } from './features/distribution-groups/get-distribution-group.ts'
import { createGroupDownload } from './features/distribution-groups/link/create-group-download.ts'
import { downloadGroupBuild } from './features/distribution-groups/link/download-group-build.ts'
import { openGroupLink } from './features/distribution-groups/link/open-group-link.ts'
import { listDistributionGroupDownloads } from './features/distribution-groups/list-distribution-group-downloads.ts'
import { listDistributionGroupMembers } from './features/distribution-groups/list-distribution-group-members.ts'
import { listDistributionGroupReleases } from './features/distribution-groups/list-distribution-group-releases.ts'
import { listDistributionGroups } from './features/distribution-groups/list-distribution-groups.ts'
import { removeDistributionGroupMembers } from './features/distribution-groups/remove-distribution-group-members.ts'
import { removeDistributionGroupRelease } from './features/distribution-groups/remove-distribution-group-release.ts'
import { updateDistributionGroup } from './features/distribution-groups/update-distribution-group.ts'
import { exportDownloads } from './features/downloads/export-downloads.ts'
import { getDownloadTotals } from './features/downloads/get-download-totals.ts'
import { listDownloads } from './features/downloads/list-downloads.ts'
import { watchEvents, watchWorkspaceEvents } from './features/events/watch-events.ts'
import { deleteFeedback } from './features/feedback/delete-feedback.ts'
import { exportFeedback } from './features/feedback/export-feedback.ts'
import { getFeedbackScreenshot } from './features/feedback/get-feedback-screenshot.ts'
import { getFeedbackSubscription } from './features/feedback/get-feedback-subscription.ts'
import { getFeedback } from './features/feedback/get-feedback.ts'
import { listFeedback } from './features/feedback/list-feedback.ts'
import { replaceFeedbackSubscription } from './features/feedback/replace-feedback-subscription.ts'
import { updateFeedback } from './features/feedback/update-feedback.ts'
import { getFirstSteps } from './features/first-steps/get-first-steps.ts'
import { updateFirstSteps } from './features/first-steps/update-first-steps.ts'
import { getIcon } from './features/icons/get-icon.ts'
import { checkIosInstallation } from './features/installs/check-ios-installation.ts'
import { createLabel, createWorkspaceLabel } from './features/labels/create-label.ts'
import { deleteLabel, deleteWorkspaceLabel } from './features/labels/delete-label.ts'
import { getLabel, getWorkspaceLabel } from './features/labels/get-label.ts'
import { listLabels, listWorkspaceLabels } from './features/labels/list-labels.ts'
import { promoteLabel } from './features/labels/promote-label.ts'
import { updateLabel, updateWorkspaceLabel } from './features/labels/update-label.ts'
import { listMails } from './features/mails/list-mails.ts'
import { acceptInvitation } from './features/members/accept-invitation.ts'
import { approveAccessRequest } from './features/members/access-requests/approve-access-request.ts'
import { createAccessRequest } from './features/members/access-requests/create-access-request.ts'
import { declineAccessRequest } from './features/members/access-requests/decline-access-request.ts'
import { listAccessRequests } from './features/members/access-requests/list-access-requests.ts'
import { restoreAccessRequest } from './features/members/access-requests/restore-access-request.ts'
import { createApplicationMember } from './features/members/create-application-member.ts'
import { createInvitation } from './features/members/create-invitation.ts'
import { deleteApplicationMember } from './features/members/delete-application-member.ts'
import { deleteInvitation } from './features/members/delete-invitation.ts'
import { deleteUserPhoto } from './features/members/delete-user-photo.ts'
import { deleteWorkspaceMember } from './features/members/delete-workspace-member.ts'
import { getInvitation } from './features/members/get-invitation.ts'
import { getUser } from './features/members/get-user.ts'
import { listApplicationMembers } from './features/members/list-application-members.ts'
import { listInvitations } from './features/members/list-invitations.ts'
import { listWorkspaceMembers } from './features/members/list-workspace-members.ts'
import { replaceUserPhoto } from './features/members/replace-user-photo.ts'
import { createScimToken } from './features/members/scim/create-scim-token.ts'
import { deleteScimToken } from './features/members/scim/delete-scim-token.ts'
import { getScimSettings } from './features/members/scim/get-scim-settings.ts'
import { createTeamMembers } from './features/members/teams/create-team-members.ts'
import { createTeam } from './features/members/teams/create-team.ts'
import { deleteApplicationTeam } from './features/members/teams/delete-application-team.ts'
import { deleteTeam } from './features/members/teams/delete-team.ts'
import { getTeam } from './features/members/teams/get-team.ts'
import { listApplicationTeams } from './features/members/teams/list-application-teams.ts'
import { listTeamApplications } from './features/members/teams/list-team-applications.ts'
import { listTeamMembers } from './features/members/teams/list-team-members.ts'
import { listTeams } from './features/members/teams/list-teams.ts'
import { removeTeamMembers } from './features/members/teams/remove-team-members.ts'
import { replaceApplicationTeam } from './features/members/teams/replace-application-team.ts'
import { updateTeam } from './features/members/teams/update-team.ts'
import { updateApplicationMember } from './features/members/update-application-member.ts'
import { updateUser } from './features/members/update-user.ts'
import { updateWorkspaceMember } from './features/members/update-workspace-member.ts'
import { countNotifications } from './features/notifications/count-notifications.ts'
import { createNotificationRule } from './features/notifications/create-notification-rule.ts'
import { deleteNotificationRule } from './features/notifications/delete-notification-rule.ts'
import { getNotificationSettings } from './features/notifications/get-notification-settings.ts'
import { listNotificationRules } from './features/notifications/list-notification-rules.ts'
import { listNotifications } from './features/notifications/list-notifications.ts'
import { markNotificationsRead } from './features/notifications/mark-notifications-read.ts'
import { testNotificationChat } from './features/notifications/test-notification-chat.ts'
import { updateNotificationRule } from './features/notifications/update-notification-rule.ts'
import { updateNotificationSettings } from './features/notifications/update-notification-settings.ts'
import { updateNotification } from './features/notifications/update-notification.ts'
import { downloadLatestBuild } from './features/permalinks/download-latest-build.ts'
import { downloadLatestPublicBuild } from './features/permalinks/download-latest-public-build.ts'
import { downloadPublicReleaseBuild } from './features/permalinks/download-public-release-build.ts'
import { downloadReleaseBuild } from './features/permalinks/download-release-build.ts'
import { getLatestBuildBadge } from './features/permalinks/get-latest-build-badge.ts'
import { getLatestPublicBuildBadge } from './features/permalinks/get-latest-public-build-badge.ts'
import { getPublicReleaseBuildBadge } from './features/permalinks/get-public-release-build-badge.ts'
import { getReleaseBuildBadge } from './features/permalinks/get-release-build-badge.ts'
import { getPins } from './features/pins/get-pins.ts'
import { updatePins } from './features/pins/update-pins.ts'
import { listArchitectures } from './features/platforms/list-architectures.ts'
import { listPlatforms } from './features/platforms/list-platforms.ts'
import { replacePlatforms } from './features/platforms/replace-platforms.ts'
import { checkPortalDomain } from './features/portals/check-portal-domain.ts'
import { createPortal } from './features/portals/create-portal.ts'
import { deletePortalApplication } from './features/portals/delete-portal-application.ts'
import { deletePortalIcon } from './features/portals/delete-portal-icon.ts'
import { deletePortal } from './features/portals/delete-portal.ts'
import { getPortal } from './features/portals/get-portal.ts'
import { listPortalReleases } from './features/portals/list-portal-releases.ts'
import { listPortals } from './features/portals/list-portals.ts'
import { publishPortalRelease } from './features/portals/publish-portal-release.ts'
import { replacePortalApplication } from './features/portals/replace-portal-application.ts'
import { replacePortalIcon } from './features/portals/replace-portal-icon.ts'
import { updatePortal } from './features/portals/update-portal.ts'
import { verifyPortalDomain } from './features/portals/verify-portal-domain.ts'
import { withdrawPortalRelease } from './features/portals/withdraw-portal-release.ts'
import { addReleaseBuild } from './features/releases/add-release-build.ts'
import { createRelease } from './features/releases/create-release.ts'
import { deleteRelease } from './features/releases/delete-release.ts'
import { getRelease } from './features/releases/get-release.ts'
import { listReleases } from './features/releases/list-releases.ts'
import { publishRelease } from './features/releases/publish-release.ts'
import { removeReleaseBuild } from './features/releases/remove-release-build.ts'
import { replaceReleaseBuilds } from './features/releases/replace-release-builds.ts'
import { replaceReleaseLabels } from './features/releases/replace-release-labels.ts'
import { scheduleRelease } from './features/releases/schedule-release.ts'
import { updateRelease } from './features/releases/update-release.ts'
import { withdrawRelease } from './features/releases/withdraw-release.ts'
import { createRepositoryKey } from './features/repository-keys/create-repository-key.ts'
import { deleteRepositoryKey } from './features/repository-keys/delete-repository-key.ts'
import { listRepositoryKeys } from './features/repository-keys/list-repository-keys.ts'
import { listRetentionPreview } from './features/retention/list-retention-preview.ts'
import { createSampleApplication } from './features/sample-application/create-sample-application.ts'
import { deleteSampleApplication } from './features/sample-application/delete-sample-application.ts'
import { getSession } from './features/sessions/get-session.ts'
import { replaceSessionWorkspace } from './features/sessions/replace-session-workspace.ts'
import { setUp } from './features/setup/set-up.ts'
import { createLinkDownload } from './features/share-links/create-link-download.ts'
import { createShareGrant } from './features/share-links/create-share-grant.ts'
import { createBuildShareLink, createReleaseShareLink } from './features/share-links/create-share-link.ts'
import { deleteShareLink } from './features/share-links/delete-share-link.ts'
import { downloadLinkBuild } from './features/share-links/download-link-build.ts'
import { getShareLinkBadge } from './features/share-links/get-share-link-badge.ts'
import { listBuildShareLinks, listReleaseShareLinks } from './features/share-links/list-share-links.ts'
import { openShareLink } from './features/share-links/open-share-link.ts'
import { updateShareLink } from './features/share-links/update-share-link.ts'
import { getApplicationStatistics } from './features/statistics/get-application-statistics.ts'
import { getBuildStatistics } from './features/statistics/get-build-statistics.ts'
import { getWorkspaceStatistics } from './features/statistics/get-workspace-statistics.ts'
import { createDefaultStream } from './features/streams/create-default-stream.ts'
import { createStream } from './features/streams/create-stream.ts'
import { deleteDefaultStream } from './features/streams/delete-default-stream.ts'
import { deleteStream } from './features/streams/delete-stream.ts'
import { getStream } from './features/streams/get-stream.ts'
import { listDefaultStreams } from './features/streams/list-default-streams.ts'
import { listStreams } from './features/streams/list-streams.ts'
import { updateDefaultStream } from './features/streams/update-default-stream.ts'
import { updateStream } from './features/streams/update-stream.ts'
import { createTrustedPublisher } from './features/trusted-publishers/create-trusted-publisher.ts'
import { deleteTrustedPublisher } from './features/trusted-publishers/delete-trusted-publisher.ts'
import { exchangeToken } from './features/trusted-publishers/exchange-token.ts'
import { getTrustedPublisher } from './features/trusted-publishers/get-trusted-publisher.ts'
import { listTrustedPublishers } from './features/trusted-publishers/list-trusted-publishers.ts'
import { updateTrustedPublisher } from './features/trusted-publishers/update-trusted-publisher.ts'
import { abortUpload } from './features/uploads/abort-upload.ts'
import { composeUpload } from './features/uploads/composition/compose-upload.ts'
import { getComposition } from './features/uploads/composition/get-composition.ts'
import { getUpload } from './features/uploads/get-upload.ts'
import { listUploads } from './features/uploads/list-uploads.ts'
import { requestMetadataUpload } from './features/uploads/request-metadata-upload.ts'
import { requestExpansionUploadPart, requestUploadPart } from './features/uploads/request-upload-part.ts'
import { requestUpload } from './features/uploads/request-upload.ts'
import { verifyMetadataUpload } from './features/uploads/verify-metadata-upload.ts'
import { verifyUpload } from './features/uploads/verify-upload.ts'
import { createWebhook } from './features/webhooks/create-webhook.ts'
import { deleteWebhook } from './features/webhooks/delete-webhook.ts'
import { getWebhookRequest } from './features/webhooks/get-webhook-request.ts'
import { getWebhookSample } from './features/webhooks/get-webhook-sample.ts'
import { getWebhook } from './features/webhooks/get-webhook.ts'
import { listWebhookRequests } from './features/webhooks/list-webhook-requests.ts'
import { listWebhooks } from './features/webhooks/list-webhooks.ts'
import { redeliverWebhookRequest } from './features/webhooks/redeliver-webhook-request.ts'
import { redeliverWebhookRequests } from './features/webhooks/redeliver-webhook-requests.ts'
import { testWebhook } from './features/webhooks/test-webhook.ts'
import { updateWebhook } from './features/webhooks/update-webhook.ts'
import { deleteWorkspaceLogo } from './features/workspace/delete-workspace-logo.ts'
import { getWorkspace } from './features/workspace/get-workspace.ts'
import { replaceWorkspaceLogo } from './features/workspace/replace-workspace-logo.ts'
import { updateWorkspace } from './features/workspace/update-workspace.ts'

/**
 * All endpoints, ordered by URL under /api/v1. Each name is the operation ID and the name of the file. The workspace
 * variant of an endpoint is in the same file as its application variant.
 */
export const routes = {
  listApplications, // GET /applications
  createApplication, // POST /applications
  getApplication, // GET /applications/{application_id}
  updateApplication, // PATCH /applications/{application_id}
  deleteApplication, // DELETE /applications/{application_id}
  listAccessRequests, // GET /applications/{application_id}/access-requests
  declineAccessRequest, // DELETE /applications/{application_id}/access-requests/{access_request_id}
  approveAccessRequest, // POST /applications/{application_id}/access-requests/{access_request_id}/approve
  restoreAccessRequest, // POST /applications/{application_id}/access-requests/{access_request_id}/restore
  listApplicationApiKeys, // GET /applications/{application_id}/api-keys
  createApplicationApiKey, // POST /applications/{application_id}/api-keys
  deleteApplicationApiKey, // DELETE /applications/{application_id}/api-keys/{api_key_id}
  listBuilds, // GET /applications/{application_id}/builds
  updateBuilds, // POST /applications/{application_id}/builds/bulk
  createBuildDownloads, // POST /applications/{application_id}/builds/downloads
  getBuild, // GET /applications/{application_id}/builds/{build_id}
  updateBuild, // PATCH /applications/{application_id}/builds/{build_id}
  deleteBuild, // DELETE /applications/{application_id}/builds/{build_id}
  replaceBuildArchitectures, // PUT /applications/{application_id}/builds/{build_id}/architectures
  getBuildDownload, // GET /applications/{application_id}/builds/{build_id}/download
  listBuildDownloads, // GET /applications/{application_id}/builds/{build_id}/downloads
  getBuildFile, // GET /applications/{application_id}/builds/{build_id}/file
  getFileChunks, // GET /applications/{application_id}/builds/{build_id}/files/{file_id}/chunks
  listFilePatches, // GET /applications/{application_id}/builds/{build_id}/files/{file_id}/patches
  replaceBuildLabels, // PUT /applications/{application_id}/builds/{build_id}/labels
  listBuildDevices, // GET /applications/{application_id}/builds/{build_id}/devices
  getBuildComparison, // GET /applications/{application_id}/builds/{build_id}/comparisons/{base_build_id}
  listEntryChanges, // GET /applications/{application_id}/builds/{build_id}/comparisons/{base_build_id}/entries
  listBuildDebugIds, // GET /applications/{application_id}/builds/{build_id}/debug-ids
  listBuildMetadata, // GET /applications/{application_id}/builds/{build_id}/metadata
  getBuildMetadata, // GET /applications/{application_id}/builds/{build_id}/metadata/{artifact_id}
  deleteBuildMetadata, // DELETE /applications/{application_id}/builds/{build_id}/metadata/{artifact_id}
  getBuildMetadataDownload, // GET /applications/{application_id}/builds/{build_id}/metadata/{artifact_id}/download
  restoreBuild, // POST /applications/{application_id}/builds/{build_id}/restore
  listBuildShareLinks, // GET /applications/{application_id}/builds/{build_id}/share-links
  createBuildShareLink, // POST /applications/{application_id}/builds/{build_id}/share-links
  moveBuild, // PUT /applications/{application_id}/builds/{build_id}/stream
  listChanges, // GET /applications/{application_id}/changes
  listChannels, // GET /applications/{application_id}/channels
  createChannel, // POST /applications/{application_id}/channels
  getChannel, // GET /applications/{application_id}/channels/{channel_id}
  updateChannel, // PATCH /applications/{application_id}/channels/{channel_id}
  deleteChannel, // DELETE /applications/{application_id}/channels/{channel_id}
  getChannelAdoption, // GET /applications/{application_id}/channels/{channel_id}/adoption
  getChannelReadiness, // GET /applications/{application_id}/channels/{channel_id}/readiness
  listReadKeys, // GET /applications/{application_id}/channels/{channel_id}/read-keys
  createReadKey, // POST /applications/{application_id}/channels/{channel_id}/read-keys
  deleteReadKey, // DELETE /applications/{application_id}/channels/{channel_id}/read-keys/{read_key_id}
  listRollouts, // GET /applications/{application_id}/channels/{channel_id}/rollout
  updateRollout, // PATCH /applications/{application_id}/channels/{channel_id}/rollout
  getCustomStore, // GET /applications/{application_id}/custom-store
  replaceCustomStore, // PUT /applications/{application_id}/custom-store
  deleteCustomStore, // DELETE /applications/{application_id}/custom-store
  testCustomStore, // POST /applications/{application_id}/custom-store/test
  listCustomTargets, // GET /applications/{application_id}/custom-targets
  createCustomTarget, // POST /applications/{application_id}/custom-targets
  getCustomTarget, // GET /applications/{application_id}/custom-targets/{target_identifier}
  updateCustomTarget, // PATCH /applications/{application_id}/custom-targets/{target_identifier}
  deleteCustomTarget, // DELETE /applications/{application_id}/custom-targets/{target_identifier}
  replaceCustomTargetIcon, // PUT /applications/{application_id}/custom-targets/{target_identifier}/icon
  deleteCustomTargetIcon, // DELETE /applications/{application_id}/custom-targets/{target_identifier}/icon
  promoteCustomTarget, // POST /applications/{application_id}/custom-targets/{target_identifier}/promote
  listDownloads, // GET /applications/{application_id}/downloads
  exportDownloads, // GET /applications/{application_id}/downloads/export
  getDownloadTotals, // GET /applications/{application_id}/downloads/totals
  watchEvents, // GET /applications/{application_id}/events
  replaceApplicationIcon, // PUT /applications/{application_id}/icon
  deleteApplicationIcon, // DELETE /applications/{application_id}/icon
  listFeedback, // GET /applications/{application_id}/feedback
  exportFeedback, // GET /applications/{application_id}/feedback/export
  getFeedbackSubscription, // GET /applications/{application_id}/feedback/subscription
  replaceFeedbackSubscription, // PUT /applications/{application_id}/feedback/subscription
  getFeedback, // GET /applications/{application_id}/feedback/{feedback_id}
  updateFeedback, // PATCH /applications/{application_id}/feedback/{feedback_id}
  deleteFeedback, // DELETE /applications/{application_id}/feedback/{feedback_id}
  getFeedbackScreenshot, // GET /applications/{application_id}/feedback/{feedback_id}/screenshots/{screenshot_id}
  listLabels, // GET /applications/{application_id}/labels
  createLabel, // POST /applications/{application_id}/labels
  getLabel, // GET /applications/{application_id}/labels/{label_identifier}
  updateLabel, // PATCH /applications/{application_id}/labels/{label_identifier}
  deleteLabel, // DELETE /applications/{application_id}/labels/{label_identifier}
  promoteLabel, // POST /applications/{application_id}/labels/{label_identifier}/promote
  listApplicationMembers, // GET /applications/{application_id}/members
  createApplicationMember, // POST /applications/{application_id}/members
  updateApplicationMember, // PATCH /applications/{application_id}/members/{user_id}
  deleteApplicationMember, // DELETE /applications/{application_id}/members/{user_id}
  downloadReleaseBuild, // GET /applications/{application_id}/permalinks/releases/{release_version}/{platform}
  getReleaseBuildBadge, // GET /applications/{application_id}/permalinks/releases/{release_version}/{platform}/badge/{format}
  downloadLatestBuild, // GET /applications/{application_id}/permalinks/streams/{stream_identifier}/{platform}
  getLatestBuildBadge, // GET /applications/{application_id}/permalinks/streams/{stream_identifier}/{platform}/badge/{format}
  listPlatforms, // GET /applications/{application_id}/platforms
  replacePlatforms, // PUT /applications/{application_id}/platforms
  listArchitectures, // GET /applications/{application_id}/platforms/{platform}/architectures
  restoreApplication, // POST /applications/{application_id}/restore
  listReleases, // GET /applications/{application_id}/releases
  createRelease, // POST /applications/{application_id}/releases
  getRelease, // GET /applications/{application_id}/releases/{release_id}
  updateRelease, // PATCH /applications/{application_id}/releases/{release_id}
  deleteRelease, // DELETE /applications/{application_id}/releases/{release_id}
  getReleaseAdoption, // GET /applications/{application_id}/releases/{release_id}/adoption
  getReleaseAudience, // GET /applications/{application_id}/releases/{release_id}/audience
  replaceReleaseBuilds, // PUT /applications/{application_id}/releases/{release_id}/builds
  addReleaseBuild, // POST /applications/{application_id}/releases/{release_id}/builds/{build_id}
  removeReleaseBuild, // DELETE /applications/{application_id}/releases/{release_id}/builds/{build_id}
  replaceReleaseLabels, // PUT /applications/{application_id}/releases/{release_id}/labels
  publishRelease, // POST /applications/{application_id}/releases/{release_id}/publish
  scheduleRelease, // POST /applications/{application_id}/releases/{release_id}/schedule
  listReleaseShareLinks, // GET /applications/{application_id}/releases/{release_id}/share-links
  createReleaseShareLink, // POST /applications/{application_id}/releases/{release_id}/share-links
  withdrawRelease, // POST /applications/{application_id}/releases/{release_id}/withdraw
  getApplicationStatistics, // GET /applications/{application_id}/statistics
  getBuildStatistics, // GET /applications/{application_id}/statistics/builds
  listStreams, // GET /applications/{application_id}/streams
  createStream, // POST /applications/{application_id}/streams
  getStream, // GET /applications/{application_id}/streams/{stream_identifier}
  updateStream, // PATCH /applications/{application_id}/streams/{stream_identifier}
  deleteStream, // DELETE /applications/{application_id}/streams/{stream_identifier}
  listRetentionPreview, // GET /applications/{application_id}/streams/{stream_identifier}/retention-preview
  listApplicationTeams, // GET /applications/{application_id}/teams
  replaceApplicationTeam, // PUT /applications/{application_id}/teams/{team_id}
  deleteApplicationTeam, // DELETE /applications/{application_id}/teams/{team_id}
  listTrustedPublishers, // GET /applications/{application_id}/trusted-publishers
  createTrustedPublisher, // POST /applications/{application_id}/trusted-publishers
  getTrustedPublisher, // GET /applications/{application_id}/trusted-publishers/{trusted_publisher_id}
  updateTrustedPublisher, // PATCH /applications/{application_id}/trusted-publishers/{trusted_publisher_id}
  deleteTrustedPublisher, // DELETE /applications/{application_id}/trusted-publishers/{trusted_publisher_id}
  listViews, // GET /applications/{application_id}/views
  createView, // POST /applications/{application_id}/views
  getView, // GET /applications/{application_id}/views/{view_id}
  updateView, // PATCH /applications/{application_id}/views/{view_id}
  deleteView, // DELETE /applications/{application_id}/views/{view_id}
  restoreView, // POST /applications/{application_id}/views/{view_id}/restore
  listWebhooks, // GET /applications/{application_id}/webhooks
  createWebhook, // POST /applications/{application_id}/webhooks
  getWebhook, // GET /applications/{application_id}/webhooks/{webhook_id}
  updateWebhook, // PATCH /applications/{application_id}/webhooks/{webhook_id}
  deleteWebhook, // DELETE /applications/{application_id}/webhooks/{webhook_id}
  listWebhookRequests, // GET /applications/{application_id}/webhooks/{webhook_id}/requests
  getWebhookRequest, // GET /applications/{application_id}/webhooks/{webhook_id}/requests/{webhook_request_id}
  redeliverWebhookRequests, // POST /applications/{application_id}/webhooks/{webhook_id}/requests/redeliver
  redeliverWebhookRequest, // POST /applications/{application_id}/webhooks/{webhook_id}/requests/{webhook_request_id}/redeliver
  getWebhookSample, // GET /applications/{application_id}/webhook-sample
  testWebhook, // POST /applications/{application_id}/webhooks/{webhook_id}/test
  exchangeToken, // POST /auth/oidc/token
  listDevices, // GET /devices
  createDevice, // POST /devices
  exportDevices, // GET /devices/export
  getDevice, // GET /devices/{device_id}
  updateDevice, // PATCH /devices/{device_id}
  deleteDevice, // DELETE /devices/{device_id}
  listDeviceBuilds, // GET /devices/{device_id}/builds
  listDistributionGroups, // GET /distribution-groups
  createDistributionGroup, // POST /distribution-groups
  getDistributionGroup, // GET /distribution-groups/{distribution_group_id}
  updateDistributionGroup, // PATCH /distribution-groups/{distribution_group_id}
  deleteDistributionGroup, // DELETE /distribution-groups/{distribution_group_id}
  listDistributionGroupMembers, // GET /distribution-groups/{distribution_group_id}/members
  createDistributionGroupMembers, // POST /distribution-groups/{distribution_group_id}/members
  deleteDistributionGroupMember, // DELETE /distribution-groups/{distribution_group_id}/members/{member_id}
  clearDistributionGroupMemberBounce, // DELETE /distribution-groups/{distribution_group_id}/members/{member_id}/bounce
  removeDistributionGroupMembers, // POST /distribution-groups/{distribution_group_id}/members/remove
  listDistributionGroupDownloads, // GET /distribution-groups/{distribution_group_id}/downloads
  listDistributionGroupReleases, // GET /distribution-groups/{distribution_group_id}/releases
  addDistributionGroupRelease, // POST /distribution-groups/{distribution_group_id}/releases
  removeDistributionGroupRelease, // DELETE /distribution-groups/{distribution_group_id}/releases/{release_id}
  getFirstSteps, // GET /first-steps
  updateFirstSteps, // PATCH /first-steps
  getInvitation, // GET /invitations/{token}
  acceptInvitation, // POST /invitations/{token}/accept
  listNotificationRules, // GET /notification-rules
  createNotificationRule, // POST /notification-rules
  updateNotificationRule, // PATCH /notification-rules/{notification_rule_id}
  deleteNotificationRule, // DELETE /notification-rules/{notification_rule_id}
  getNotificationSettings, // GET /notification-settings
  updateNotificationSettings, // PATCH /notification-settings
  testNotificationChat, // POST /notification-settings/test
  listNotifications, // GET /notifications
  countNotifications, // GET /notifications/count
  markNotificationsRead, // POST /notifications/read
  updateNotification, // PATCH /notifications/{notification_id}
  getPins, // GET /pins
  updatePins, // PATCH /pins
  listPortals, // GET /portals
  createPortal, // POST /portals
  getPortal, // GET /portals/{portal_id}
  updatePortal, // PATCH /portals/{portal_id}
  deletePortal, // DELETE /portals/{portal_id}
  replacePortalApplication, // PUT /portals/{portal_id}/applications/{application_id}
  deletePortalApplication, // DELETE /portals/{portal_id}/applications/{application_id}
  verifyPortalDomain, // POST /portals/{portal_id}/custom-domain/verify
  replacePortalIcon, // PUT /portals/{portal_id}/icon
  deletePortalIcon, // DELETE /portals/{portal_id}/icon
  listPortalReleases, // GET /portals/{portal_id}/releases
  publishPortalRelease, // POST /portals/{portal_id}/releases
  withdrawPortalRelease, // DELETE /portals/{portal_id}/releases/{release_id}
  openGroupLink, // GET /public/group-links/{group_link_id}/{group_link_token}
  downloadGroupBuild, // GET /public/group-links/{group_link_id}/{group_link_token}/download
  createGroupDownload, // POST /public/group-links/{group_link_id}/{group_link_token}/downloads
  getAvatar, // GET /public/avatars/{avatar_id}
  getIcon, // GET /public/icons/{icon_id}
  downloadPublicReleaseBuild, // GET /public/permalinks/{application_id}/releases/{release_version}/{platform}
  getPublicReleaseBuildBadge, // GET /public/permalinks/{application_id}/releases/{release_version}/{platform}/badge/{format}
  downloadLatestPublicBuild, // GET /public/permalinks/{application_id}/streams/{stream_identifier}/{platform}
  getLatestPublicBuildBadge, // GET /public/permalinks/{application_id}/streams/{stream_identifier}/{platform}/badge/{format}
  checkPortalDomain, // GET /public/portal-domains
  getPublicPatch, // GET /public/patches/{patch_token}
  openShareLink, // GET /public/share-links/{share_link_id}/{share_token}
  getShareLinkBadge, // GET /public/share-links/{share_link_id}/{share_token}/badge/{format}
  downloadLinkBuild, // GET /public/share-links/{share_link_id}/{share_token}/download
  createLinkDownload, // POST /public/share-links/{share_link_id}/{share_token}/downloads
  createShareGrant, // POST /public/share-links/{share_link_id}/{share_token}/grants
  getSession, // GET /session
  replaceSessionWorkspace, // PUT /session/workspace
  setUp, // POST /setup
  updateShareLink, // PATCH /share-links/{share_link_id}
  deleteShareLink, // DELETE /share-links/{share_link_id}
  listUploads, // GET /upload
  abortUpload, // POST /upload/abort
  requestMetadataUpload, // POST /upload/metadata/request
  verifyMetadataUpload, // POST /upload/metadata/verify
  requestUpload, // POST /upload/request
  requestUploadPart, // POST /upload/request/multipart
  requestExpansionUploadPart, // POST /upload/request/multipart/expansion
  verifyUpload, // POST /upload/verify
  getUpload, // GET /upload/{pending_upload_id}
  getComposition, // GET /upload/{pending_upload_id}/composition
  composeUpload, // PUT /upload/{pending_upload_id}/composition
  getUser, // GET /users/{user_id}
  updateUser, // PATCH /users/me
  replaceUserPhoto, // PUT /users/me/photo
  deleteUserPhoto, // DELETE /users/me/photo
  getWorkspace, // GET /workspace
  updateWorkspace, // PATCH /workspace
  createAccessRequest, // POST /workspace/access-requests
  listWorkspaceApiKeys, // GET /workspace/api-keys
  createWorkspaceApiKey, // POST /workspace/api-keys
  deleteWorkspaceApiKey, // DELETE /workspace/api-keys/{api_key_id}
  listAttention, // GET /workspace/attention
  listAuditLog, // GET /workspace/audit-log
  listWorkspaceCustomTargets, // GET /workspace/custom-targets
  createWorkspaceCustomTarget, // POST /workspace/custom-targets
  getWorkspaceCustomTarget, // GET /workspace/custom-targets/{target_identifier}
  updateWorkspaceCustomTarget, // PATCH /workspace/custom-targets/{target_identifier}
  deleteWorkspaceCustomTarget, // DELETE /workspace/custom-targets/{target_identifier}
  replaceWorkspaceCustomTargetIcon, // PUT /workspace/custom-targets/{target_identifier}/icon
  deleteWorkspaceCustomTargetIcon, // DELETE /workspace/custom-targets/{target_identifier}/icon
  listDefaultStreams, // GET /workspace/default-streams
  createDefaultStream, // POST /workspace/default-streams
  updateDefaultStream, // PATCH /workspace/default-streams/{default_stream_id}
  deleteDefaultStream, // DELETE /workspace/default-streams/{default_stream_id}
  watchWorkspaceEvents, // GET /workspace/events
  listInvitations, // GET /workspace/invitations
  createInvitation, // POST /workspace/invitations
  deleteInvitation, // DELETE /workspace/invitations/{invitation_id}
  checkIosInstallation, // GET /workspace/ios-installation-check
  listWorkspaceLabels, // GET /workspace/labels
  createWorkspaceLabel, // POST /workspace/labels
  getWorkspaceLabel, // GET /workspace/labels/{label_identifier}
  updateWorkspaceLabel, // PATCH /workspace/labels/{label_identifier}
  deleteWorkspaceLabel, // DELETE /workspace/labels/{label_identifier}
  replaceWorkspaceLogo, // PUT /workspace/logo
  deleteWorkspaceLogo, // DELETE /workspace/logo
  listWorkspaceMembers, // GET /workspace/members
  updateWorkspaceMember, // PATCH /workspace/members/{user_id}
  deleteWorkspaceMember, // DELETE /workspace/members/{user_id}
  listMails, // GET /workspace/outbox
  listRepositoryKeys, // GET /workspace/repository-keys
  createRepositoryKey, // POST /workspace/repository-keys
  deleteRepositoryKey, // DELETE /workspace/repository-keys/{repository_key_id}
  createSampleApplication, // POST /workspace/sample-application
  deleteSampleApplication, // DELETE /workspace/sample-application
  getWorkspaceStatistics, // GET /workspace/statistics
  getScimSettings, // GET /workspace/scim-token
  createScimToken, // POST /workspace/scim-token
  deleteScimToken, // DELETE /workspace/scim-token
  listTeams, // GET /workspace/teams
  createTeam, // POST /workspace/teams
  getTeam, // GET /workspace/teams/{team_id}
  updateTeam, // PATCH /workspace/teams/{team_id}
  deleteTeam, // DELETE /workspace/teams/{team_id}
  listTeamApplications, // GET /workspace/teams/{team_id}/applications
  listTeamMembers, // GET /workspace/teams/{team_id}/members
  createTeamMembers, // POST /workspace/teams/{team_id}/members
  removeTeamMembers, // POST /workspace/teams/{team_id}/members/remove
}
