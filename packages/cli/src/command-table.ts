import type { Command } from 'commander'
import type { Runtime } from './command-context.ts'

type Section = {
  heading: string
  /** For each command name, a function that imports the function that adds the command. */
  commands: Record<string, () => Promise<(program: Command, runtime: Runtime) => void>>
}

/** The commands in the order of the help. Each is imported only when needed, because importing all of them is slow. */
export const sections: Section[] = [
  {
    heading: 'Core commands:',
    commands: {
      upload: async () => (await import('./commands/builds/upload.ts')).addUpload,
      download: async () => (await import('./commands/builds/download.ts')).addDownload,
      sync: async () => (await import('./commands/builds/sync.ts')).addSync,
      mirror: async () => (await import('./commands/mirror/mirror.ts')).addMirror,
      export: async () => (await import('./commands/export/export.ts')).addExport,
      import: async () => (await import('./commands/import/import.ts')).addImport,
      verify: async () => (await import('./commands/verify/verify.ts')).addVerify,
      share: async () => (await import('./commands/share-links/share-links.ts')).addShare,
      builds: async () => (await import('./commands/builds/builds.ts')).addBuilds,
      releases: async () => (await import('./commands/releases/releases.ts')).addReleases,
      channels: async () => (await import('./commands/channels/channels.ts')).addChannels,
      rollout: async () => (await import('./commands/rollouts/rollouts.ts')).addRollout,
      applications: async () => (await import('./commands/applications/applications.ts')).addApplications,
    },
  },
  {
    heading: 'Management commands:',
    commands: {
      platforms: async () => (await import('./commands/platforms/platforms.ts')).addPlatforms,
      keys: async () => (await import('./commands/api-keys/api-keys.ts')).addKeys,
      streams: async () => (await import('./commands/streams/streams.ts')).addStreams,
      labels: async () => (await import('./commands/labels/labels.ts')).addLabels,
      devices: async () => (await import('./commands/devices/devices.ts')).addDevices,
      downloads: async () => (await import('./commands/downloads/downloads.ts')).addDownloads,
      feedback: async () => (await import('./commands/feedback/feedback.ts')).addFeedback,
      webhooks: async () => (await import('./commands/webhooks/webhooks.ts')).addWebhooks,
      members: async () => (await import('./commands/members/members.ts')).addMembers,
      teams: async () => (await import('./commands/teams/teams.ts')).addTeams,
      audit: async () => (await import('./commands/audit-log/list.ts')).addAudit,
    },
  },
  {
    heading: 'Automation commands:',
    commands: {
      api: async () => (await import('./commands/api/api.ts')).addApi,
      completion: async () => (await import('./commands/completion/completion.ts')).addCompletion,
    },
  },
  {
    heading: 'Connection commands:',
    commands: {
      login: async () => (await import('./commands/session/login.ts')).addLogin,
      logout: async () => (await import('./commands/session/logout.ts')).addLogout,
      status: async () => (await import('./commands/session/status.ts')).addStatus,
      doctor: async () => (await import('./commands/doctor/doctor.ts')).addDoctor,
      open: async () => (await import('./commands/open/open.ts')).addOpen,
    },
  },
]
