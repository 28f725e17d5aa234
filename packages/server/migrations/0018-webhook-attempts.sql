-- The attempts of a request in their order, each with `started_at`, `response_code`, `duration` and `error`. Requests
-- from before this migration list only the attempts made since.
alter table webhook_requests add column attempts jsonb not null default '[]';

-- Lists failed requests, which are rare, without reading all others.
create index webhook_requests_failed on webhook_requests (webhook_id, created_at, id) where state = 'failed';
