import type { GuideSection } from './guide-section.ts'
import { quickStart } from './quick-start.ts'
import { webhookGuide } from './reference-webhook-guide.ts'

/**
 * The introduction to the API reference: conventions that apply to all endpoints, and step-by-step instructions for a
 * first upload.
 */
export const guide: GuideSection[] = [
  {
    title: 'Authentication',
    text: [
      'Send an API key with each request: `Authorization: Bearer <key>`. A workspace key can access every application of its workspace; an application key can access only its own application. On its first start, the server writes a workspace key with every scope to `data/first-key`.',
      'A key has scopes of the form `resource:level`. `write` includes `create`, and `create` includes `read`. Each endpoint documents the scope that it requires of each kind of key.',
      'The console uses this API with the session cookie of the user. Owners and admins of a workspace have every workspace scope. Other members act with the application scopes of their role in each application to which they were added, and an application to which they were not added does not exist for them. `GET /session` returns these scopes. A request with an `Authorization` header never uses the cookie. A request that changes something with the cookie must have the `Origin` of this server.',
    ],
  },
  {
    title: 'Requests and responses',
    text: [
      'All paths start with `/api/v1`. Bodies are JSON; unknown fields are ignored. Every response has a `message`; the requested resource is in `data`.',
      'Lists accept `page` (starting at 1) and `per_page` and return `pagination`. A page past the end is empty, not an error. Times are in UTC with microseconds. POST creates a resource (201), PATCH changes the given fields, PUT replaces the whole resource or list, and DELETE removes it.',
      'Unknown query parameters are ignored and, for lists, reported in the `message`. A parameter that looks like a misspelling of a known one (`label`, `labels[]`) returns 422, because ignoring a filter would return everything.',
      'In a query, write the `+` of a UTC offset as `%2B`: `created_after=2026-11-21T00:00:00%2B01:00`.',
      'A body can be up to 1 MiB (32 KiB for endpoints that need no key) and must arrive within 30 seconds, at 1 kB per second or faster. Files are uploaded to storage, which has no such limit.',
      'The parts of a version have other names in requests than in responses: `version_component_1_major`, `version_component_2_minor`, `version_component_3_patch`, `version_component_extra` and `version_component_meta` are returned as `version_semantic_major`, `version_semantic_minor`, `version_semantic_patch`, `version_semantic_extra` and `version_semantic_meta`.',
      'Where a path or a filter refers to a stream, label or custom target, both its ID and its name are accepted.',
    ],
  },
  {
    title: 'Errors',
    text: [
      'Errors have the form `{"message", "code", "request_id", "errors"?}`: `message` says what went wrong and how to fix it, `code` never changes, and `errors` lists the invalid fields. A resource that does not exist and a resource that the key cannot access return the same 404. The responses of each endpoint list the codes that it returns.',
      'For 429 and 503, `Retry-After` is the number of seconds to wait.',
    ],
  },
  {
    title: 'Rate limits',
    text: [
      'Each budget is counted per minute; the defaults below can be changed by the operator. Requests over a budget return 429 with `Retry-After`. `RateLimit-Policy` and `RateLimit` report the budgets that apply to a request and what remains of them.',
      'A key may send 600 requests and a signed-in user 1,200 (`requests`). Calls in the upload flow (parts, verify, status, abort) have a separate budget that is ten times as high (`uploads`), and PUTs to storage are not counted. Keys may request 30 download links for each application (`application-downloads`) and 60 for each workspace (`workspace-downloads`).',
      'An IP address may send 1,200 requests to endpoints that need no key (`address`), such as share links, group links and the token exchange, and 600 requests with an invalid key. An IPv6 /64 counts as one address. Requests with a valid key are not affected by other requests from the same address.',
    ],
  },
  {
    title: 'Retries and caching',
    text: [
      'A POST that creates a resource accepts an `Idempotency-Key`: repeating it within 24 hours with the same body returns the first response again and creates nothing. Verify and abort can be repeated without one.',
      'GET responses include an `ETag`. Send it back as `If-None-Match` to get 304 without a body until something changes.',
    ],
  },
  {
    title: 'Following changes',
    text: [
      'To keep a copy of builds up to date, read `GET /applications/{application_id}/changes` with the `cursor` of the previous response. Do not poll a list by `created_after`: `created_at` is when the verification of an upload began, so builds can appear after newer ones, and a list does not report moves or deletions.',
      'To show changes as they happen, open a stream of server-sent events with `GET /applications/{application_id}/events` or `GET /workspace/events`. After a lost connection, send the `id` of the last event as `Last-Event-ID` to resume.',
    ],
  },
  webhookGuide,
  {
    title: 'Quick start',
    text: [
      'These commands create an application, upload a build and list it. Run them in the folder of Quayside. On another computer, also run `export QUAYSIDE_SERVER=http://localhost:4400`.',
    ],
    code: quickStart().join('\n'),
  },
  {
    title: 'First steps',
    text: [
      'These commands create an application, upload a build and share a release with a password. They use curl, and Node to read the responses. The bytes go directly to storage: request an upload, PUT the file to the returned URL with the returned headers, then verify the upload.',
    ],
    code: `API=http://localhost:4400/api/v1
KEY=$(cat data/first-key)
call() { curl -sS --fail-with-body -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' "$@"; }
field() { node -p "JSON.parse(require('fs').readFileSync(0)).$1"; }
headers() { node -p "Object.entries(JSON.parse(require('fs').readFileSync(0)).$1).map((h) => h.join(': ')).join('\\n')"; }

APPLICATION=$(call $API/applications -d '{"name": "My app", "platforms": ["linux"]}' | field data.id)

FILE=app.tar.gz
UPLOAD=$(call $API/upload/request -d '{
  "application_id": "'$APPLICATION'", "platform": "linux", "stream": "default", "source": "cli-upload",
  "primary_file": {"filename": "'$FILE'", "size_bytes": '$(wc -c < $FILE)'},
  "version_component_1_major": 1, "version_component_2_minor": 0, "version_component_3_patch": 0
}')
curl -sS --fail-with-body -T $FILE -H @<(headers primary_file.presigned_data.headers <<< "$UPLOAD") \\
  "$(field primary_file.presigned_data.url <<< "$UPLOAD")"
BUILD=$(call $API/upload/verify -d '{"pending_upload_id": "'$(field pending_upload_id <<< "$UPLOAD")'"}' | field build_id)

RELEASE=$(call $API/applications/$APPLICATION/releases -d '{
  "title": "First release", "build_ids": ["'$BUILD'"],
  "version_component_1_major": 1, "version_component_2_minor": 0, "version_component_3_patch": 0
}' | field data.id)
LINK=$(call $API/applications/$APPLICATION/releases/$RELEASE/share-links \\
  -d '{"password": "open sesame", "max_downloads": 5}' | field data.url)

# anyone with the link and the password can download without a key
visit() { curl -sS --fail-with-body -H 'Content-Type: application/json' "$@"; }
GRANT=$(visit $LINK/grants -d '{"password": "open sesame"}' | field data.grant)
curl -sSL --fail-with-body -o copy-of-$FILE "$LINK/download?grant=$GRANT"`,
  },
]

/** Returns the guide as Markdown for the description of the OpenAPI document. */
export const guideText = (sections: GuideSection[]): string =>
  sections
    .map(({ title, text, code, language = 'sh' }) =>
      [`## ${title}`, ...text, ...(code === undefined ? [] : [`\`\`\`${language}\n${code}\n\`\`\``])].join(
        '\n\n',
      ),
    )
    .join('\n\n')
