/** What each event means, in the order of the menu. */
export const eventTexts = {
    'build.created': { title: 'New build', description: 'A build is uploaded.' },
    'build.created.stream': {
        title: 'New build in a stream',
        description: 'A build is uploaded to the stream of the webhook.',
    },
    'build.processed': {
        title: 'Build processed',
        description: 'The metadata of a package has been read, or could not be read.',
    },
    'build.label.added': { title: 'Label added', description: 'A label is added to a build.' },
    'build.moved': { title: 'Build moved', description: 'A build is moved to another stream.' },
    'build.moved.stream': {
        title: 'Build moved to a stream',
        description: 'A build is moved to the stream of the webhook.',
    },
    'build.deleted': { title: 'Build deleted', description: 'A build is moved to the trash.' },
    'release.created': { title: 'New release', description: 'A release is published for the first time.' },
    'release.updated': {
        title: 'Release updated',
        description: 'A published release changes, or a withdrawn release is published again.',
    },
    'release.withdrawn': { title: 'Release withdrawn', description: 'A published release is withdrawn.' },
    'release.deleted': {
        title: 'Release deleted',
        description: 'A release that has been published is deleted.',
    },
};
export const eventTitle = (event) => Object.hasOwn(eventTexts, event) ? eventTexts[event].title : event;
export const formatNames = {
    json: 'JSON',
    form: 'Form',
    slack: 'Slack',
    discord: 'Discord',
    teams: 'Teams',
};
export const formatHelp = {
    json: 'The event as JSON.',
    form: 'The JSON in a form field named payload, for receivers that cannot read JSON bodies.',
    slack: 'A message for an incoming webhook of a Slack app.',
    discord: 'A message for a webhook of a Discord channel.',
    teams: 'A message for a workflow of Microsoft Teams that starts when a webhook request is received.',
};
export const stateNames = {
    delivered: 'Delivered',
    waiting: 'Waiting',
    failed: 'Failed',
};
export const webhookText = {
    noWebhooks: 'A webhook sends a request to your URL when something happens, such as a new build in a stream. It can also post to Slack, Discord and Microsoft Teams.',
    noDeliveries: 'The webhook sends a request when its event occurs. Send a test to see what your receiver gets.',
    noMatchingDeliveries: 'No request has this state and event. Requests are kept for 30 days.',
    selectDelivery: 'Select a request to see what was sent and what the receiver responded.',
    failing: 'The receiver fails. Requests are repeated for 24 hours after the first attempt.',
    inErrorState: 'All attempts of a request have failed. Once your receiver works again, redeliver the requests that failed.',
    inactive: 'This webhook is off and sends no requests. It may have been switched off because all requests failed for five days or the receiver no longer exists.',
    deleteWebhook: 'Its requests are deleted as well. This cannot be undone.',
    switchOff: 'Requests that are waiting for an attempt are canceled. Events that occur while it is off are not sent.',
    secretOnce: 'Copy the secret now. It is stored encrypted and cannot be shown again.',
    rotation: 'The previous secret stays valid for 24 hours. Until then, each request is signed with both, so that you have time to update your receiver.',
    rotate: 'A new secret is generated and shown once.',
    chatSecret: 'Chat services do not verify signatures, so no secret is necessary.',
    notRecorded: 'Earlier attempts were not recorded.',
    redeliver: 'Requests are sent again in their original order, to the current URL. Tests, requests that are waiting and requests that were already redelivered are skipped.',
    checker: 'Paste a request that your receiver got, and the secret. Everything stays in this browser: nothing is sent to the server.',
    checkerNeedsHttps: 'Browsers verify signatures only on pages that are opened over https or from localhost. Open the console over https to use the checker.',
    sampleOfNewest: 'Made from the most recent build or release of this application.',
    sending: 'Sending …',
    notSent: 'This request has not been sent yet.',
    noResponse: 'The receiver did not respond.',
};
