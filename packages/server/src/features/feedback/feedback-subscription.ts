import { Type } from 'typebox'

export const FeedbackSubscription = Type.Object(
  {
    is_subscribed: Type.Boolean({
      description:
        'Whether you get an email when feedback about the application arrives: at most one in 15 minutes for each build.',
    }),
  },
  { title: 'FeedbackSubscription' },
)
