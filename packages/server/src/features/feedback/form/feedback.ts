import type { DocumentContent } from '../../../http/pages/document.ts'
import type { PageCall, PageResponse } from '../../../http/pages/page.ts'
import { acceptFeedback, type FeedbackTarget } from './accept-feedback.ts'
import { feedbackDocument, feedbackPathOf, thanksDocument, type FeedbackPage } from './feedback-form.ts'

/** The size of a form with three screenshots as phones take them. */
export const maxFormBytes = 16 * 1024 * 1024

/** Returns the path of the form of a page. The page must serve `showFeedback` and `sendFeedback` there. */
export const feedbackPath = (page: { path: string }): string => feedbackPathOf(page)

/** Returns the form of a page, or the confirmation that it was sent. */
export const showFeedback = async (call: PageCall, page: FeedbackPage): Promise<DocumentContent> =>
  call.fields.has('sent') ? thanksDocument(call, page) : feedbackDocument(call, page)

/** Accepts the form of a page. */
export const sendFeedback = (call: PageCall, target: FeedbackTarget): Promise<PageResponse> =>
  acceptFeedback(call, target)
