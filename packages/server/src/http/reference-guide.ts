export type GuideSection = { title: string; text: string[]; code?: string }

/** What is true of every endpoint, and the way from nothing to a shared release: the introduction of the reference. */
export const guide: GuideSection[] = [
  {
    title: 'Keys',
    text: [
      'Send a key with each request: `Authorization: Bearer <key>`. A workspace key reaches every application of its workspace; an application key reaches its own and nothing else. The first start writes a workspace key with every scope to `data/first-key`.',
      'A key carries scopes of the form `resource:level`. `write` includes `create`, `create` includes `read`. Each endpoint names the scope that each kind of key needs.',
    ],
  },
  {
    title: 'Requests and answers',
    text: [
      'Every path is below `/api/v1`. Bodies are JSON; fields that are not known are ignored. Every answer has a `message`; what was asked for is in `data`.',
      'Lists take `page` (from 1) and `per_page` and answer `pagination`. A page past the end is empty, not an error. Times are UTC with microseconds. POST creates (201), PATCH changes the fields it is given, PUT replaces a whole list, DELETE answers what it did.',
      'Where a path or a filter names a stream, label or custom target, its id and its name will both do.',
    ],
  },
  {
    title: 'Errors',
    text: [
      '`{"message", "code", "request_id", "errors"?}`: the message says what to do next, `code` stays the same, `errors` has texts for each wrong field. What is not there and what a key may not see are the same 404.',
      '429 and 503 name the seconds to wait in `Retry-After`. `RateLimit` says how much of each budget is left.',
    ],
  },
  {
    title: 'Trying again',
    text: [
      'A POST that creates takes an `Idempotency-Key`: sent again within 24 hours with the same body it gives its first answer again and creates nothing more. Verify and abort may be sent again as they are.',
      'A read carries an `ETag`; sent back as `If-None-Match` it is answered 304 without a body until something changes.',
    ],
  },
  {
    title: 'First steps',
    text: [
      'From an empty service to a release behind a password, with curl, and Node to read the answers. The bytes go straight to storage: ask for an upload, PUT the file to the URL you get, verify.',
    ],
    code: `API=http://localhost:4400/api/v1
KEY=$(cat data/first-key)
call() { curl -sS --fail-with-body -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' "$@"; }
field() { node -p "JSON.parse(require('fs').readFileSync(0)).$1"; }

APPLICATION=$(call $API/applications -d '{"name": "My app", "platforms": ["linux"]}' | field data.id)

FILE=app.tar.gz
UPLOAD=$(call $API/upload/request -d '{
  "application_id": "'$APPLICATION'", "platform": "linux", "stream": "default", "source": "cli-upload",
  "primary_file": {"filename": "'$FILE'", "size_bytes": '$(wc -c < $FILE)'},
  "version_component_1_major": 1, "version_component_2_minor": 0, "version_component_3_patch": 0
}')
curl -sS --fail-with-body -T $FILE "$(field primary_file.presigned_data.url <<< "$UPLOAD")"
BUILD=$(call $API/upload/verify -d '{"pending_upload_id": "'$(field pending_upload_id <<< "$UPLOAD")'"}' | field build_id)

RELEASE=$(call $API/applications/$APPLICATION/releases -d '{
  "title": "First release", "build_ids": ["'$BUILD'"],
  "version_component_1_major": 1, "version_component_2_minor": 0, "version_component_3_patch": 0
}' | field data.id)
LINK=$(call $API/applications/$APPLICATION/releases/$RELEASE/share-links \\
  -d '{"password": "open sesame", "max_downloads": 5}' | field data.url)

# whoever has the link and the password needs no key
visit() { curl -sS --fail-with-body -H 'Content-Type: application/json' "$@"; }
GRANT=$(visit $LINK/grants -d '{"password": "open sesame"}' | field data.grant)
curl -sSL --fail-with-body -o copy-of-$FILE "$LINK/download?grant=$GRANT"`,
  },
]

/** The guide as Markdown, for the document's description. */
export const guideText = (sections: GuideSection[]): string =>
  sections
    .map(({ title, text, code }) =>
      [`## ${title}`, ...text, ...(code === undefined ? [] : [`\`\`\`sh\n${code}\n\`\`\``])].join('\n\n'),
    )
    .join('\n\n')
