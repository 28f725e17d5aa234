import type { Static } from 'typebox'
import type { Tx } from '../../../database/transaction.ts'
import type { DocumentContent } from '../../../http/pages/document.ts'
import { page, type PageCall, type PageResponse } from '../../../http/pages/page.ts'
import { notFound, problem } from '../../../lib/problem.ts'
import type { BuildRow } from '../../builds/build.db.ts'
import { maxFormBytes, sendFeedback, showFeedback } from '../../feedback/form/feedback.ts'
import { listBuildsOfRelease } from '../../releases/release.db.ts'
import { explainPortal } from './explain-portal.ts'
import { portalDocument } from './portal-document.ts'
import { portalReleaseParams, requireReleaseOfPortal } from './portal-release-page.ts'
import { emailDocument } from './portal-sign-in-document.ts'
import { portalBuildParams, requireBuildOfStream } from './portal-stream-page.ts'
import { requireVisitedPortal, type VisitedPortal } from './visited-portal.ts'

type VisitCall = Parameters<typeof requireVisitedPortal>[0]

/** Loads a portal that accepts feedback; throws 404 if its feedback is turned off. */
async function requirePortalWithFeedback(call: VisitCall): Promise<{ portal: VisitedPortal }> {
  const { portal } = await requireVisitedPortal(call)
  if (!portal.feedback_enabled) throw notFound()
  return { portal }
}

const notSignedIn = problem(
  'forbidden',
  'portal.not_signed_in',
  'This portal is private. Open it and enter the code from your email, then send the form again.',
)

/** Loads a portal that accepts feedback from this visitor. It runs before a large form is read. */
async function requirePortalForFeedback(call: VisitCall): Promise<{ portal: VisitedPortal }> {
  const { portal } = await requirePortalWithFeedback(call)
  if (!portal.isOpen) throw notSignedIn()
  return { portal }
}

/** What the page with the form shows. */
type Shown = { applicationId: string; builds: BuildRow[]; path: string }

type ReleaseCall = Pick<PageCall, 'db'> & { params: Static<typeof portalReleaseParams> }

async function requireShownRelease(call: ReleaseCall, portal: VisitedPortal): Promise<Shown> {
  const { id, application_id } = await requireReleaseOfPortal(call, portal)
  return {
    applicationId: application_id,
    builds: await listBuildsOfRelease(call.db, id),
    path: `${portal.base}/releases/${id}`,
  }
}

type BuildCall = Pick<PageCall, 'db'> & { params: Static<typeof portalBuildParams> }

async function requireShownBuild(call: BuildCall, portal: VisitedPortal): Promise<Shown> {
  const build = await requireBuildOfStream(call, portal)
  const path = `${portal.base}/streams/${call.params.stream_id}/builds/${build.id}`
  return { applicationId: build.application_id, builds: [build], path }
}

async function showForm(call: PageCall, portal: VisitedPortal, shown: Shown): Promise<PageResponse> {
  return inPortal(call, portal, await showFeedback(call, { ...shown, ...senderOf(portal) }))
}

type Acceptance = {
  shown: Shown
  /** Throws unless the portal still shows the page and accepts feedback from this visitor. */
  requireShown: (tx: Tx) => Promise<unknown>
}

async function acceptForm(
  call: PageCall,
  portal: VisitedPortal,
  { shown, requireShown }: Acceptance,
): Promise<PageResponse> {
  const response = await sendFeedback(call, {
    ...shown,
    ...senderOf(portal),
    linkId: portal.id,
    requireSource: async (tx) => {
      await requireShown(tx)
      return { channel: 'portal', portal_id: portal.id }
    },
  })
  return 'body' in response ? { ...response, ...inPortal(call, portal, response) } : response
}

/** Only a private portal knows its visitors. */
const senderOf = ({ visitor_email: email }: VisitedPortal) => (email === null ? {} : { email })

const inPortal = (call: PageCall, portal: VisitedPortal, content: DocumentContent): DocumentContent => ({
  ...content,
  ...portalDocument(call, portal, { title: content.title, tab: 'releases', body: content.body }),
})

const definition = { isForEveryClient: true, explain: explainPortal } as const
const form = { ...definition, method: 'GET', load: requirePortalWithFeedback } as const
const sent = { ...definition, method: 'POST', maxFormBytes, load: requirePortalForFeedback } as const

const ofRelease = {
  path: '/public/portals/:portal_id/releases/:release_id/feedback',
  params: portalReleaseParams,
} as const

const ofBuild = {
  path: '/public/portals/:portal_id/streams/:stream_id/builds/:build_id/feedback',
  params: portalBuildParams,
} as const

/** The form with which visitors send feedback about a release, or the confirmation that it was sent. */
export const portalReleaseFeedbackPage = page({
  ...form,
  ...ofRelease,
  handle: async ({ portal, ...call }) =>
    portal.isOpen
      ? showForm(call, portal, await requireShownRelease(call, portal))
      : emailDocument(call, portal, {}),
})

/** The form for feedback about a build in a stream, or the confirmation that it was sent. */
export const portalBuildFeedbackPage = page({
  ...form,
  ...ofBuild,
  handle: async ({ portal, ...call }) =>
    portal.isOpen
      ? showForm(call, portal, await requireShownBuild(call, portal))
      : emailDocument(call, portal, {}),
})

/** Accepts the form for a release. */
export const sendPortalReleaseFeedback = page({
  ...sent,
  ...ofRelease,
  handle: async ({ portal, ...call }) =>
    acceptForm(call, portal, {
      shown: await requireShownRelease(call, portal),
      async requireShown(tx) {
        const current = { ...call, db: tx }
        return requireShownRelease(current, (await requirePortalForFeedback(current)).portal)
      },
    }),
})

/** Accepts the form for a build in a stream. */
export const sendPortalBuildFeedback = page({
  ...sent,
  ...ofBuild,
  handle: async ({ portal, ...call }) =>
    acceptForm(call, portal, {
      shown: await requireShownBuild(call, portal),
      async requireShown(tx) {
        const current = { ...call, db: tx }
        return requireShownBuild(current, (await requirePortalForFeedback(current)).portal)
      },
    }),
})
